/* The drawer that shows a row's detail beside its table. Each detail is a step in the browser's history: Back leads to the
   detail before, and from the first one closes the drawer. The address stays that of the table. */

/** The link that was pressed last in a page with a drawer. */
let asked = "";

const drawerOf = () => /** @type {HTMLDialogElement | null} */ (document.getElementById("drawer"));

/** Show a row's detail beside the table; any other way of opening a link still works. `listen` is told of what is new. */
export async function openDrawer(event, link, listen) {
  const drawer = drawerOf();
  if (!drawer || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  if (!(await show(link.href, listen))) return;
  const { depth = 0 } = history.state ?? {};
  if (!depth) history.replaceState({ ...history.state, htmx: false, beneath: Boolean(history.state?.htmx) }, "");
  history.pushState({ drawer: link.href, depth: depth + 1 }, "");
}

/** Close the drawer of a button; where its detail has a page to itself, go back to where that was asked for. */
export function closeDrawer(button) {
  const drawer = button.closest("dialog");
  if (drawer) drawer.close();
  else history.back();
}

/** Let the drawer of the page follow the browser's history, and the history the drawer. */
export function followHistory(listen) {
  const drawer = drawerOf();
  if (!drawer) return;
  drawer.addEventListener("click", (event) => event.target === drawer && drawer.close());
  drawer.addEventListener("close", () => history.state?.depth && history.go(-history.state.depth));
  addEventListener("popstate", () => {
    const { drawer: shown, beneath, ...state } = history.state ?? {};
    if (shown) show(shown, listen);
    else drawer.close();
    // While a drawer was open, htmx was not to take the table for left.
    if (beneath !== undefined) history.replaceState({ ...state, htmx: beneath }, "");
  });
}

/** Show a detail; whether it is what was asked for last, and could be had. */
async function show(href, listen) {
  const drawer = drawerOf();
  asked = href;
  const response = await fetch(href, { headers: { "HX-Request": "true" } });
  const text = await response.text();
  if (asked !== href) return false; // somebody has pressed another row meanwhile
  if (!response.ok) {
    location.assign(href);
    return false;
  }
  const content = document.getElementById("drawer-content");
  content.innerHTML = text;
  listen(content);
  /** @type {any} */ (window).htmx?.process(content);
  if (!drawer.open) drawer.showModal();
  drawer.scrollTop = 0;
  return true;
}

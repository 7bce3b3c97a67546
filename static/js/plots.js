/* What the pictures of a run share: the page's colours, the way from a point to the debugger, and PNGs. */

const PNG_SCALE = 2;
/** Pictures are drawn when they are so near to what is seen. */
const NEAR = "200px";
let loading = null;

/** Plotly, which is loaded when it is needed first: most readers of a page never come to its pictures. */
function plotly() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = /** @type {HTMLElement} */ (document.querySelector("[data-plotly]")).dataset.plotly;
    script.addEventListener("load", () => resolve(globalThis.Plotly));
    script.addEventListener("error", () => reject(new Error("The pictures' library can't be loaded.")));
    document.head.append(script);
  });
  return loading;
}

/**
 * Draw each place by `draw(place, Plotly)` when it comes into view, once `first(place)`, and again after a change of theme.
 * Gives what draws all again that are drawn.
 */
export function drawWhenSeen(places, draw, first = (_place) => {}) {
  const drawn = new Set();
  const again = () => drawn.forEach((place) => draw(place, globalThis.Plotly));
  const see = async (place) => {
    draw(place, await plotly());
    drawn.add(place);
    first(place);
  };
  const watch = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      watch.unobserve(target);
      see(target).catch(console.error);
    }
  }, { rootMargin: NEAR });
  for (const place of places) watch.observe(place);
  document.addEventListener("themechange", again);
  return again;
}

export function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Plotly's layout of a picture before its axes; its legend, if it has one, is so far below them. */
export function layoutWithin(margin, legendBelow) {
  const font = { family: getComputedStyle(document.body).fontFamily, size: 11, color: colour("--muted") };
  return {
    margin,
    paper_bgcolor: colour("--bg"),
    plot_bgcolor: colour("--bg"),
    font,
    hovermode: "closest",
    hoverlabel: { bgcolor: colour("--panel"), bordercolor: colour("--line-strong"), font: { ...font, color: colour("--ink") } },
    legend: { orientation: "h", x: 0, y: -legendBelow, yanchor: "top", font, itemclick: false, itemdoubleclick: false },
  };
}

/** A click on a point goes to the address that `addressOf` makes of what stands there; it stays where that is none. */
export function openPoints(place, addressOf) {
  place.on("plotly_click", (event) => {
    const known = event.points[0]?.customdata;
    const address = known && addressOf(known, event.event);
    if (address) location.assign(address);
  });
}

/** Let the PNG buttons of these pictures work. */
export function offerPngs(places) {
  for (const button of document.querySelectorAll("[data-png]")) {
    const place = places.find((one) => one.id === button.dataset.png);
    if (place) button.addEventListener("click", () => savePng(place, `${button.dataset.name}.png`));
  }
}

/** Plotly's own download loads the picture from a blob:, which the content security policy refuses; data: it allows. */
async function savePng(place, name) {
  await plotly();
  const { clientWidth: width, clientHeight: height } = place;
  const image = new Image();
  image.src = await globalThis.Plotly.toImage(place, { format: "svg", width, height });
  await image.decode();
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: width * PNG_SCALE, height: height * PNG_SCALE });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  const link = document.createElement("a");
  Object.assign(link, { href: canvas.toDataURL("image/png"), download: name });
  link.click();
}

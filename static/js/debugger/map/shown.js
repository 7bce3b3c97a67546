// How the cluster is shown: grouped by what, counted in which resource, in which order, as map or table. A page opens as the run's
// nodes suggest, or as the address asks where that is possible. Pure.

const SORTS = ["name", "load", "shortfall"];
const VIEWS = ["map", "table"];

/** What one can choose from, the choice of a page that nobody asks for another first. */
export function choicesOf(groupings, resources) {
  return { group: groupings.map(({ key }) => key), resource: resources, sort: SORTS, view: VIEWS };
}

/** {group, resource, sort, view}: as it is `asked` for where there is such a choice, else as the page opens. */
export function shownAs(asked, choices) {
  const chosen = ([name, all]) => [name, all.includes(asked[name]) ? asked[name] : all[0]];
  return Object.fromEntries(Object.entries(choices).map(chosen));
}

/** Of what is shown that which isn't as the page opens; the rest is null. */
export function differing(shown, choices) {
  return Object.fromEntries(Object.entries(choices).map(([name, [first]]) => [name, shown[name] === first ? null : shown[name]]));
}

// What the browser's modules find on a page, for the type checker alone (tsconfig.json).

/** Plotly's script puts itself there; it is a library of its own, loaded before what draws with it. */
// eslint-disable-next-line no-var
declare var Plotly: any;

/** The pages of a run and of two runs, for tests and for whoever looks at it from the console. */
interface Window {
  sandtable: any;
  comparison: any;
}

/** What a selector finds is whatever the page's template has there, which no type can tell. */
interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}
interface Element {
  closest(selector: string): any;
}
interface Document {
  readonly activeElement: any;
  getElementById(id: string): any;
}

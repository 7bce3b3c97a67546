import js from "@eslint/js";
import globals from "globals";

const UNUSED = { argsIgnorePattern: "^_", varsIgnorePattern: "^_", destructuredArrayIgnorePattern: "^_", ignoreRestSiblings: true };
const OWN = {
  "array-callback-return": "error",
  "default-case-last": "error",
  eqeqeq: ["error", "always", { null: "ignore" }],
  "no-constructor-return": "error",
  "no-duplicate-imports": "error",
  "no-else-return": "error",
  "no-implicit-globals": "error",
  "no-self-compare": "error",
  "no-template-curly-in-string": "error",
  "no-throw-literal": "error",
  "no-unreachable-loop": "error",
  "no-unused-expressions": ["error", { allowShortCircuit: true, allowTernary: true }],
  "no-unused-vars": ["error", UNUSED],
  "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
  "no-useless-rename": "error",
  "no-useless-return": "error",
  "no-var": "error",
  "object-shorthand": "error",
  "prefer-const": "error",
  // Strings that become code or HTML: every name on a page comes from somebody's cluster.
  "no-eval": "error",
  "no-implied-eval": "error",
  "no-new-func": "error",
  "no-script-url": "error",
};

export default [
  { ignores: [".*/", "data/", "test-results/", "static/js/vendor/", "static/plotly/"] },
  js.configs.recommended,
  { rules: OWN, linterOptions: { reportUnusedDisableDirectives: "error" } },
  { files: ["static/js/**/*.js"], languageOptions: { globals: globals.browser } },
  { files: ["tests/**/*.js", "benchmarks/fold.js", "*.js"], languageOptions: { globals: globals.node } },
  // Run in the page by Playwright.
  { files: ["benchmarks/watch.js"], languageOptions: { globals: { ...globals.browser, sandtable: "readonly" } } },
];

// Text within Markdown, so that nothing of it is taken for markup. Pure.

export function inline(text) {
  return text.replace(/[\\`*_[\]<>|#]/g, "\\$&").replace(/\n/g, " ");
}

/** A block of text as it is, in lines. */
export function fenced(text) {
  return ["```", text.replaceAll("```", "'''"), "```"];
}

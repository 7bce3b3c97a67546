/* YAML and values: the server turns one into the other. */

import { ask, complaint } from "../rest.js";

/** The value of a YAML document as {value}, or why it is none as {message}; empty text is null where that is a value. */
export async function readYaml(address, text, { blank = false } = {}) {
  if (blank && !text.trim()) return { value: null };
  const answer = await ask("POST", address, { yaml: text });
  return answer.ok ? { value: answer.body.value } : { message: complaint(answer) };
}

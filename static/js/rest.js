// The one client of REST: how the server is asked, and what a failed answer says.

import { parsedByTurns } from "./json-by-turns.js";
import { turns } from "./turns.js";

/** Bodies of so many characters are read in turns: that of the first state of a large cluster has 20 million. */
const LARGE = 1_000_000;

/** Of the page's own form (parts/account.html), which each page has where somebody is signed in. */
export function csrfToken() {
  return document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";
}

/**
 * Ask REST: {ok, status, body, etag}. A server that can't be reached is status 0, so that there is one way to look at failures; a
 * body that isn't JSON is {}.
 */
export async function ask(method, address, body, headers = {}) {
  try {
    const answer = await fetch(address, {
      method,
      credentials: "same-origin",
      headers: { "Content-Type": "application/json", Accept: "application/json", "X-CSRFToken": csrfToken(), ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const { ok, status } = answer;
    const text = await textOf(answer);
    const answered = text.length > LARGE ? await parsedByTurns(text).catch(() => ({})) : parsed(text);
    return { ok, status, body: answered, etag: answer.headers.get("ETag") };
  } catch {
    return { ok: false, status: 0, body: { detail: "The server cannot be reached." }, etag: null };
  }
}

/** A body's text, part by part: the browser would decode 20 million characters at once, or all parts that are there already. */
async function textOf({ body }) {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  const pause = turns();
  let text = "";
  for (let part = await reader?.read(); part && !part.done; part = await reader.read()) {
    text += part.value;
    await pause();
  }
  return text;
}

/** A body of JSON; {} where it is another page, such as a proxy's: the status has to do then. */
export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** The sentence of a failed answer. */
export function complaint({ status, body }) {
  const errors = (body.errors ?? []).map((error) => error.message);
  return errors.join("; ") || body.detail || body.title || `The server answered ${status}.`;
}

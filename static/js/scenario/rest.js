/* The requests of the editor. Each answers with {ok, status, body, etag}; a server that cannot be reached is
   status 0, so that callers have one way to look at failures. */

const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";

export async function request(method, address, body, headers = {}) {
  try {
    const response = await fetch(address, {
      method,
      headers: { "Content-Type": "application/json", Accept: "application/json", "X-CSRFToken": token, ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    return { ok: response.ok, status: response.status, body: text ? parsed(text) : {}, etag: response.headers.get("ETag") };
  } catch {
    return { ok: false, status: 0, body: { detail: "The server cannot be reached." }, etag: null };
  }
}

export const post = (address, body) => request("POST", address, body);

/** The value of a YAML document as {value}, or why it is none as {message}; empty text is null where that is a value. */
export async function readYaml(address, text, { blank = false } = {}) {
  if (blank && !text.trim()) return { value: null };
  const answer = await post(address, { yaml: text });
  return answer.ok ? { value: answer.body.value } : { message: complaint(answer) };
}

/** The sentence of a failed answer. */
export function complaint(answer) {
  const errors = (answer.body.errors ?? []).map((error) => error.message);
  return errors.join("; ") || answer.body.detail || answer.body.title || `The server answered ${answer.status}.`;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

// The run's REST addresses. Errors carry what the problem document says.

export class Problem extends Error {
  constructor(status, document) {
    super(document?.detail || document?.title || `The server answered ${status}.`);
    this.status = status;
  }
}

export class Rest {
  constructor(root) {
    this.root = root;
  }

  run() {
    return this.#get("");
  }

  state(at) {
    return this.#get(`state/?at=${at}`);
  }

  decisions(after, limit) {
    return this.#get(`decisions/?after=${after}&limit=${limit}`).then((page) => page.results);
  }

  decision(seq) {
    return this.#get(`decisions/${seq}/`);
  }

  node(seq, name) {
    return this.#get(`decisions/${seq}/nodes/${encodeURIComponent(name)}/`);
  }

  /** A page of verdicts; `query` holds plugin, reason, status, limit, cursor. */
  nodes(seq, query) {
    return this.#get(`decisions/${seq}/nodes/?${new URLSearchParams(query)}`);
  }

  command(name) {
    return this.#send("POST", `${name}/`);
  }

  rate(decisionsASecond) {
    return this.#send("PATCH", "", { rate: decisionsASecond });
  }

  decisionAddress(seq) {
    return new URL(`${this.root}decisions/${seq}/`, location.href).href;
  }

  async #get(path) {
    const answer = await fetch(this.root + path, { headers: { Accept: "application/json" }, credentials: "same-origin" });
    return this.#read(answer);
  }

  async #send(method, path, body) {
    const answer = await fetch(this.root + path, {
      method,
      credentials: "same-origin",
      headers: { Accept: "application/json", "Content-Type": "application/json", "X-CSRFToken": csrfToken() },
      body: body ? JSON.stringify(body) : undefined,
    });
    return this.#read(answer);
  }

  async #read(answer) {
    const document = await answer.json().catch(() => null);
    if (!answer.ok) throw new Problem(answer.status, document);
    return document;
  }
}

function csrfToken() {
  return document.querySelector("#debugger")?.dataset.csrf
    || document.cookie.match(/(?:^|;\s*)csrftoken=([^;]+)/)?.[1] || "";
}

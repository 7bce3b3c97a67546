// The run's WebSocket: decisions in order, exactly once, for as long as the page is open.
//
// After a break it connects again and asks for what comes after the last decision it handed on, so nothing
// is lost and nothing comes twice, whatever the server repeats. Each batch is acknowledged once it has been
// taken in, which is what keeps a slow page from being flooded; a page that holds enough lets the server wait.

const FIRST_WAIT = 500,
  LONGEST_WAIT = 15000;
const NOT_SIGNED_IN = 4401,
  NOT_FOUND = 4404;

export class Stream {
  /**
   * `window`: how many decisions may come beyond the last that was taken in, null for as many as the server likes;
   * `on`: {decisions(items), hello(message), status(message), end(message), link(state, detail)}, and `hasEnough()` for
   * who may have the server wait until `goOn`.
   */
  constructor(address, after, on, window = null) {
    this.address = address;
    this.window = window;
    this.last = after;
    this.on = on;
    this.wait = FIRST_WAIT;
    this.closed = false;
    this.ended = false;
    this.waits = false;
  }

  /** Let the server send on, if it was left waiting. */
  goOn() {
    if (!this.waits) return;
    this.waits = false;
    this.#acknowledge(this.socket);
  }

  open() {
    this.closed = false;
    this.on.link("connecting");
    const url = new URL(this.address, location.href);
    url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    url.searchParams.set("after", this.last);
    if (this.window !== null) url.searchParams.set("window", this.window);
    const socket = new WebSocket(url);
    this.socket = socket;
    socket.onmessage = (message) => this.#hear(socket, JSON.parse(message.data));
    socket.onclose = (event) => this.#lost(socket, event.code);
  }

  close() {
    this.closed = true;
    this.socket?.close();
  }

  #hear(socket, message) {
    if (socket !== this.socket) return;
    this.wait = FIRST_WAIT;
    if (message.type === "decisions") this.#take(socket, message.items);
    else if (message.type === "hello") {
      this.on.link("open");
      // Who acknowledges nothing is sent everything.
      if (this.on.hasEnough) this.#acknowledge(socket);
      this.on.hello(message);
    } else if (message.type === "status") this.on.status(message);
    else if (message.type === "end") {
      this.ended = true;
      this.on.end(message);
    } else if (message.type === "error") this.on.link("error", message.detail ?? message.message ?? "");
  }

  #take(socket, items) {
    const fresh = items.filter((item) => item.seq > this.last);
    if (fresh.length && fresh[0].seq !== this.last + 1) {
      socket.close();
      return;
    }
    if (fresh.length) {
      this.last = fresh[fresh.length - 1].seq;
      this.on.decisions(fresh);
    }
    this.waits = this.on.hasEnough?.() ?? false;
    if (!this.waits) this.#acknowledge(socket);
  }

  #acknowledge(socket) {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: "ack", seq: this.last }));
  }

  #lost(socket, code) {
    if (socket !== this.socket || this.closed) return;
    if (this.ended) return this.on.link("ended");
    if (code === NOT_SIGNED_IN) return this.on.link("signed-out");
    if (code === NOT_FOUND) return this.on.link("not-found");
    this.on.link("lost", this.wait);
    setTimeout(() => {
      if (!this.closed) this.open();
    }, this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }
}

/* The import form: files by drop or choice, pasted text, progress while sending, cancel, and the problems
   that REST answers with, each with object and field. A large import goes on in a worker; its snapshot's page
   shows how far it is. */

import { bytes, count } from "./amounts.js";
import { h } from "./drawing/dom.js";
import { ready } from "./ready.js";
import { complaint, csrfToken, parsed } from "./rest.js";

const form = document.getElementById("import");
const fileInput = form.querySelector("#files");
const pasted = form.querySelector("#pasted");
const drop = form.querySelector("[data-drop]");
const problems = form.querySelector("[data-problems]");
const sending = form.querySelector("[data-sending]");
const sendButton = form.querySelector("[data-send]");
const files = [];
/** So many problems are listed; the rest is counted. */
const LISTED = 50;
let request = null;

function choose(added) {
  for (const file of added) {
    if (!files.some((known) => known.name === file.name && known.size === file.size)) files.push(file);
  }
  listFiles();
}

function listFiles() {
  const rows = files.map((file, place) => {
    const remove = () => {
      files.splice(place, 1);
      listFiles();
    };
    const button = h("button", { type: "button", class: "ghost", aria: { label: `Remove ${file.name}` }, onclick: remove }, "remove");
    return h("li", {}, `${file.name} `, h("span", { class: "muted" }, bytes(file.size)), button);
  });
  form.querySelector("[data-chosen]").replaceChildren(...rows);
}

/* Offers to send the same again without what is faulty. */
function offerWithout(number) {
  const words = `Import without ${number === 1 ? "this one" : `these ${count(number)}`}`;
  problems.append(h("div", { class: "actions" }, h("button", { type: "button", onclick: () => send(true) }, words)));
}

function complain(title, errors = []) {
  const listed = errors.slice(0, LISTED).map(({ object, field, message }) => {
    const where = [object, field].filter(Boolean).join(" · ");
    return h("li", {}, where && [h("span", { class: "where" }, where), h("br")], message);
  });
  const more = errors.length > LISTED && `and ${count(errors.length - LISTED)} more`;
  problems.replaceChildren(h("div", { class: "notice error" }, h("b", {}, title), h("ul", { class: "problems" }, listed, more)));
  pasted.setAttribute("aria-invalid", String(!files.length));
}

function body(withoutFaulty) {
  const data = new FormData();
  for (const file of files) data.append("file", file, file.name);
  if (pasted.value.trim()) data.append("file", new Blob([pasted.value]), "pasted text");
  data.append("name", form.querySelector("#name").value.trim());
  if (form.dataset.addTo) data.append("add_to", form.dataset.addTo);
  if (withoutFaulty) data.append("without_faulty", "true");
  return data;
}

function showSent(event) {
  const percent = event.lengthComputable ? Math.round((100 * event.loaded) / event.total) : null;
  const bar = sending.querySelector("progress");
  if (percent === null) bar.removeAttribute("value");
  else bar.value = percent;
  sending.querySelector("[data-sent]").textContent =
    percent === 100 ? "sent; reading it …" : `${bytes(event.loaded)}${percent === null ? "" : ` of ${bytes(event.total)}`}`;
}

function busy(on) {
  sending.hidden = !on;
  sendButton.disabled = on;
}

function answered() {
  busy(false);
  const { status } = request;
  const answer = parsed(request.responseText);
  if (status === 201 || status === 202) return location.assign(`/snapshots/${answer.id}/`);
  const errors = answer.errors ?? [];
  complain(errors.length ? "This could not be imported:" : complaint({ status, body: answer }), errors);
  if (answer.faulty) offerWithout(answer.faulty);
}

/* By XMLHttpRequest, as fetch doesn't say how much of a large file is sent. */
function send(withoutFaulty) {
  problems.replaceChildren();
  pasted.removeAttribute("aria-invalid");
  if (!files.length && !pasted.value.trim()) return complain("Choose a file, or paste what kubectl printed.");
  request = new XMLHttpRequest();
  request.open("POST", form.dataset.address);
  request.setRequestHeader("X-CSRFToken", csrfToken());
  request.setRequestHeader("Accept", "application/json");
  request.upload.addEventListener("progress", showSent);
  request.addEventListener("load", answered);
  request.addEventListener("error", () => {
    busy(false);
    complain("The server could not be reached. Nothing was imported; try again.");
  });
  request.addEventListener("abort", () => busy(false));
  busy(true);
  request.send(body(withoutFaulty));
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  send(false);
});
form.querySelector("[data-cancel]").addEventListener("click", () => request?.abort());
fileInput.addEventListener("change", () => {
  choose(fileInput.files);
  fileInput.value = "";
});
for (const name of ["dragenter", "dragover"]) {
  document.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
}
document.addEventListener("dragleave", (event) => event.relatedTarget === null && drop.classList.remove("over"));
document.addEventListener("drop", (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  choose(event.dataTransfer.files);
});
ready(form);

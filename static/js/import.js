/* The import form: files by drop or choice, pasted text, progress while sending, cancel, and the problems
   that REST answers with, each with object and field. A large import goes on in a worker; its snapshot's page
   shows how far it is. */

import { bytes } from "./amounts.js";
import { ready } from "./ready.js";

const form = document.getElementById("import");
const fileInput = form.querySelector("#files");
const pasted = form.querySelector("#pasted");
const drop = form.querySelector("[data-drop]");
const problems = form.querySelector("[data-problems]");
const sending = form.querySelector("[data-sending]");
const sendButton = form.querySelector("[data-send]");
const files = [];
let request = null;

function choose(added) {
  for (const file of added) {
    if (!files.some((known) => known.name === file.name && known.size === file.size)) files.push(file);
  }
  listFiles();
}

function listFiles() {
  const rows = files.map((file, place) => {
    const row = document.createElement("li");
    const remove = document.createElement("button");
    remove.type = "button";
    remove.className = "ghost";
    remove.textContent = "remove";
    remove.setAttribute("aria-label", `Remove ${file.name}`);
    remove.addEventListener("click", () => {
      files.splice(place, 1);
      listFiles();
    });
    row.append(`${file.name} `, Object.assign(document.createElement("span"), { className: "muted", textContent: bytes(file.size) }), remove);
    return row;
  });
  form.querySelector("[data-chosen]").replaceChildren(...rows);
}

/* Offers to send the same again without what is faulty. */
function offerWithout(number) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = `Import without ${number === 1 ? "this one" : `these ${number.toLocaleString("en")}`}`;
  button.addEventListener("click", () => send(true));
  const actions = Object.assign(document.createElement("div"), { className: "actions" });
  actions.append(button);
  problems.append(actions);
}

function complain(title, errors = []) {
  const box = document.createElement("div");
  box.className = "notice error";
  const list = document.createElement("ul");
  list.className = "problems";
  for (const error of errors.slice(0, 50)) {
    const item = document.createElement("li");
    const where = [error.object, error.field].filter(Boolean).join(" · ");
    if (where) item.append(Object.assign(document.createElement("span"), { className: "where", textContent: where }), document.createElement("br"));
    item.append(error.message);
    list.append(item);
  }
  if (errors.length > 50) list.append(`and ${errors.length - 50} more`);
  box.append(Object.assign(document.createElement("b"), { textContent: title }), list);
  problems.replaceChildren(box);
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
  let answer = {};
  try {
    answer = JSON.parse(request.responseText);
  } catch {
    // A proxy's page, not ours; the status has to do.
  }
  if (request.status === 201 || request.status === 202) return location.assign(`/snapshots/${answer.id}/`);
  const errors = answer.errors ?? [];
  complain(errors.length ? "This could not be imported:" : (answer.detail ?? answer.title ?? `The server answered ${request.status}.`), errors);
  if (answer.faulty) offerWithout(answer.faulty);
}

function send(withoutFaulty) {
  problems.replaceChildren();
  pasted.removeAttribute("aria-invalid");
  if (!files.length && !pasted.value.trim()) return complain("Choose a file, or paste what kubectl printed.");
  request = new XMLHttpRequest();
  request.open("POST", form.dataset.address);
  request.setRequestHeader("X-CSRFToken", form.elements.csrfmiddlewaretoken.value);
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

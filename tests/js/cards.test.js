// HAMi's cards: what the fold holds of them, how they stand on a tile, and what the tabs say of a decision.
import assert from "node:assert/strict";
import test from "node:test";

import { cardOf, cardsOn, hasCards, heldSince, holdersOn, takenBy } from "../../static/js/cards.js";
import { cardWords } from "../../static/js/schedulers/cards/card-buttons.js";
import { asksWords } from "../../static/js/debugger/words/asks.js";
import { inOrder, judgedNode, nodeInShort } from "../../static/js/schedulers/cards/answer.js";
import { cardsInWords } from "../../static/js/schedulers/hami/card-words.js";
import { namesOfCards } from "../../static/js/debugger/inspector/past.js";
import { chainOf } from "../../static/js/schedulers/hami/chain.js";
import { containerWords, countedTries, orderWords, sliceWords } from "../../static/js/schedulers/cards/tries-words.js";
import { fitsMore, fragmentationOf, hindrance, lossOf } from "../../static/js/schedulers/hami/fragmentation.js";
import { judge } from "../../static/js/schedulers/hami/judging.js";
import { OWN, PENDING, readMix, RUN, shapesIn, writeShape } from "../../static/js/schedulers/hami/mix.js";
import { ALL_LETTERS, letterOf, meaningOf, nodeLetter, runsOf } from "../../static/js/schedulers/cards/letters.js";
import { MapCards } from "../../static/js/schedulers/cards/map-cards.js";
import { roomWords, usedUp } from "../../static/js/schedulers/cards/limits.js";
import { matrixOf } from "../../static/js/schedulers/hami/matrix.js";
import { bandOf, byReason, foundIn, partsOf } from "../../static/js/schedulers/cards/reasons.js";
import { cardBands, nodeBands } from "../../static/js/schedulers/hami/stages.js";
import { blocksOf, columnsOf, marksAbove, partsOfCard, squaresOf } from "../../static/js/schedulers/cards/tile-layout.js";
import { allCards, lossOverRun, shapesOf, shapeWords } from "../../static/js/schedulers/hami/shapes.js";
import { webhookLines } from "../../static/js/schedulers/hami/wire.js";
import { placedSentence } from "../../static/js/schedulers/hami/decisions/sentence.js";
import { plain } from "../../static/js/debugger/words/phrases.js";
import { reasonCounts, shortReason } from "../../static/js/debugger/words/reasons.js";
import { bind, logOf, node, pod, ref, state } from "./events.js";

const card = (node, index, fields = {}) => ({
  node, id: `GPU-${node}-${index}`, vendor: "NVIDIA", index, type: "NVIDIA-A100", mode: "", numa: 0, health: true,
  slots: 10, memory: 81920, cores: 100, used: 0, used_memory: 0, used_cores: 0, slices: [], ...fields,
});
const keyed = (row) => ({ ...row, key: `${row.node}/${row.id}` });
const holding = ({ uid }, node, ...held) => ({
  pod: uid, node, devices: { NVIDIA: held.map(([index, memory, cores]) => ({ id: `GPU-${node}-${index}`, memory, cores, slots: 1 })) },
  slices: [], app_class: "", init_done: false,
});
const [chat, tune] = [pod("chat", { node: "a" }), pod("tune")];

/** chat holds a third of a's card 10 from the start; decision 1 gives two cards to tune, decision 2 takes chat away. */
function made() {
  const base = state([node("a"), node("b")], [chat, tune]);
  base.tables.cards = Object.fromEntries(
    [card("a", 10, { used: 1, used_memory: 4096, used_cores: 10 }), card("a", 2), card("b", 0)].map((row) => [keyed(row).key, row]),
  );
  base.tables.holdings = { [chat.uid]: holding(chat, "a", [10, 4096, 10]) };
  const gives = holding(tune, "a", [10, 8192, 20], [2, 8192, 20]);
  return logOf(base, [
    {
      kind: "attempt", outcome: "scheduled", pod: ref(tune), chosen: "a",
      changes: [
        { verb: "appear", table: "holdings", id: tune.uid, row: gives },
        { verb: "set", table: "cards", id: "a/GPU-a-10", old: { used: 1, used_memory: 4096, used_cores: 10 }, new: { used: 2, used_memory: 12288, used_cores: 30 } },
        ...bind(tune, "a"),
      ],
    },
    {
      kind: "completion", outcome: "done", pod: ref(chat),
      changes: [{ verb: "vanish", table: "holdings", id: chat.uid, row: holding(chat, "a", [10, 4096, 10]) }],
    },
  ]);
}

test("a pod without requests isn't said to ask for nothing where HAMi reads limits", () => {
  const { fold } = made();
  assert.equal(asksWords(fold, pod("limited", { requests: {} })), "nothing in its requests (HAMi reads its limits)");
  assert.equal(asksWords(fold, pod("web")), "100m cpu");
  assert.equal(asksWords(logOf(state([node("a")], []), []).fold, pod("idle", { requests: {} })), "nothing");
});

test("a node's cards come by index, with what is used of them at the reader's decision", () => {
  const { fold } = made();
  assert.ok(hasCards(fold));
  assert.deepEqual(cardsOn(fold, "a").map(({ index, used }) => [index, used]), [[2, 0], [10, 1]]);
  fold.moveTo(1);
  assert.equal(cardOf(fold, "a/GPU-a-10").used_memory, 12288);
  fold.moveTo(0);
  assert.equal(cardOf(fold, "a/GPU-a-10").used_memory, 4096);
  assert.deepEqual(cardsOn(fold, "nowhere"), []);
  assert.equal(cardOf(fold, "a/gone"), null);
});

test("who holds a card follows the reader in both directions", () => {
  const { fold } = made();
  const names = () => holdersOn(fold, "a/GPU-a-10").map(({ pod: i, memory }) => [fold.pods[i].name, memory]);
  assert.deepEqual(names(), [["chat", 4096]]);
  fold.moveTo(2);
  assert.deepEqual(names(), [["tune", 8192]]);
  fold.moveTo(1);
  assert.deepEqual(names(), [["chat", 4096], ["tune", 8192]]);
});

test("a decision takes the cards that it gives, and a holding is as old as the decision that began it", () => {
  const { fold } = made();
  fold.moveTo(2);
  assert.equal(heldSince(fold, tune.uid), 1);
  assert.equal(heldSince(fold, chat.uid), null);
  assert.equal(takenBy(fold, 2).size, 0);
  fold.moveTo(1);
  assert.deepEqual([...takenBy(fold, 1).keys()].sort(), ["a/GPU-a-10", "a/GPU-a-2"]);
  assert.equal(takenBy(fold, 0).size, 0);
});

test("a run without cards has none", () => {
  const { fold } = logOf(state([node("a")], []), []);
  assert.ok(!hasCards(fold));
  assert.deepEqual(cardsOn(fold, "a"), []);
});

test("cards stand side by side in their tile, and NUMA nodes are parted", () => {
  const cards = [0, 1, 2, 3].map((i) => card("a", i, { numa: i < 2 ? 0 : 1 }));
  const { columns, parts } = columnsOf(cards, { x: 10, y: 20, w: 100, h: 60 });
  assert.equal(parts.length, 1);
  const [, b, c, d] = columns.map(({ box }) => box);
  assert.ok(parts[0] > b.x + b.w && parts[0] < c.x);
  assert.ok(d.x + d.w <= 110);
});

test("however many cards there are, they stay in the tile", () => {
  const cards = Array.from({ length: 64 }, (_, i) => card("a", i, { numa: i % 8 }));
  const { columns } = columnsOf(cards, { x: 0, y: 0, w: 60, h: 30 });
  const last = columns.at(-1).box;
  assert.equal(columns.length, 64);
  assert.ok(columns.every(({ box }) => box.w > 0) && last.x + last.w <= 60.001);
  const squares = squaresOf(cards, { x: 0, y: 0, w: 20, h: 20 });
  assert.ok(squares.every(({ box: { x, y, w, h } }) => x >= 0 && y >= 0 && x + w <= 20.001 && y + h <= 20.001));
});

test("a narrow card has no words", () => {
  assert.ok(partsOfCard({ x: 0, y: 0, w: 14, h: 60 }).isReadable);
  assert.ok(!partsOfCard({ x: 0, y: 0, w: 6, h: 60 }).isReadable);
});

test("a pod's block is as high as its share of the memory; what nobody known holds is drawn too", () => {
  const box = { x: 0, y: 0, w: 10, h: 80 };
  const blocks = blocksOf(card("a", 0, { used_memory: 40960 }), [{ pod: 7, memory: 20480 }], box);
  assert.deepEqual(blocks, [
    { pod: 7, box: { x: 0, y: 60, w: 10, h: 20 } },
    { pod: null, box: { x: 0, y: 40, w: 10, h: 20 } },
  ]);
  const over = blocksOf(card("a", 0, { used_memory: 163840 }), [{ pod: 1, memory: 163840 }], box);
  assert.equal(over[0].box.h, 80);
});

const MIXED = "1/8 AllocatedCardsInsufficientRequest, 1/8 CardInsufficientCore, 6/8 CardInsufficientMemory";

test("a node's reason is read as HAMi words it", () => {
  assert.deepEqual(partsOf("4/4 CardTypeMismatch"), [{ word: "CardTypeMismatch", cards: 4, of: 4 }]);
  assert.deepEqual(partsOf("node unregistered"), [{ word: "node unregistered", cards: null, of: null }]);
  assert.equal(foundIn(MIXED), 1);
  assert.equal(foundIn("8/8 CardInsufficientMemory"), 0);
  assert.equal(foundIn("node unregistered"), null);
  assert.equal(bandOf(MIXED), "cards do not suffice");
  assert.equal(bandOf("4/4 CardTypeMismatch"), "CardTypeMismatch");
  assert.equal(bandOf("3/8 CardInsufficientMemory"), "cards do not suffice");
  assert.equal(bandOf("node unregistered"), "node unregistered");
  assert.deepEqual(byReason([{ node: "a", reason: "x" }, { node: "b", reason: "y" }, { node: "c", reason: "y" }]), [
    { reason: "y", nodes: ["b", "c"] }, { reason: "x", nodes: ["a"] },
  ]);
});

test("each reason has its letter, one that isn't known is another", () => {
  const letters = ["CardInsufficientMemory", "CardTimeSlicingExhausted", "NumaNotFit", "CardNotHealth", "CardMigTopologyInfeasible", "NewInTheNextRelease"];
  assert.deepEqual(letters.map((word) => letterOf(word).letter), ["m", "s", "n", "h", "g", "o"]);
  assert.match(meaningOf("g"), /^MIG/);
  assert.equal(meaningOf("+"), "too few such cards on the node");
  assert.equal(new Set(ALL_LETTERS.map(({ letter }) => letter)).size, ALL_LETTERS.length);
});

const NODES = [
  { node: "l01", reason: "4/4 CardTypeMismatch", score: 0 },
  { node: "a04", reason: MIXED, score: 0 },
  { node: "a05", reason: "", score: 7.5 },
  { node: "cpu", reason: "node unregistered", score: 0 },
  { node: "a03", reason: "", score: 11.6 },
  { node: "a01", reason: "", score: 8.3 },
];
const BINPACK = { chosen: "a03", policies: { node: "binpack", card: "binpack" } };

test("nodes come chosen, then fitting, best first, then failed, nearest first", () => {
  assert.deepEqual(inOrder(NODES, BINPACK).map(({ node: name }) => name), ["a03", "a01", "a05", "a04", "l01", "cpu"]);
  const spread = { chosen: "a05", policies: { node: "spread", card: "binpack" } };
  assert.deepEqual(inOrder(NODES, spread).slice(0, 3).map(({ node: name }) => name), ["a05", "a01", "a03"]);
});

test("the bands of the second stage are a partition of the nodes that HAMi was asked about", () => {
  const bands = nodeBands(NODES, BINPACK);
  const parts = bands.filter(({ key }) => key.startsWith("hami|") || key === "room");
  assert.deepEqual(parts.map(({ label, size }) => [label, size]), [
    ["CardTypeMismatch", 1], ["node unregistered", 1], ["cards do not suffice", 1], ["room", 3],
  ]);
  parts.reduce((from, band) => (assert.equal(band.from, from), from + band.size), 0);
  assert.equal(bands.at(-1).label, "most used: a03");
});

const TRIES = [
  { key: "c1", verdict: "refused", reason: "CardInsufficientMemory" },
  { key: "c0", verdict: "fits", reason: "" },
  { key: "c4", verdict: "taken", reason: "" },
  { key: "c7", verdict: "taken", reason: "" },
  { key: "c5", verdict: "unseen", reason: "" },
];

test("the bands of the third stage are a partition of the chosen node's cards, taken last", () => {
  const bands = cardBands(TRIES);
  assert.deepEqual(bands.map(({ label, size }) => [label, size]), [
    ["5 cards", 5], ["CardInsufficientMemory", 1], ["fit, given up for others", 1], ["not reached", 1], ["taken", 2],
  ]);
  assert.equal(countedTries([]).length, 0);
});

test("a card that a container tries twice is one card of its funnel, and taken if either try took it", () => {
  const twice = [{ key: "c1", verdict: "fits", reason: "" }, { key: "c1", verdict: "taken", reason: "" }, { key: "c0", verdict: "unseen", reason: "" }];
  assert.deepEqual(cardBands(twice).map(({ label, size }) => [label, size]), [["2 cards", 2], ["not reached", 1], ["taken", 1]]);
});

test("a card given twice is said once, and cards of different vendors are told apart", () => {
  const at = (index, vendor = "NVIDIA", isSlice = false) => ({ key: `${vendor}-${index}`, index, vendor, isSlice });
  assert.equal(cardsInWords([at(10), at(2)]), "cards 2 and 10");
  assert.equal(cardsInWords([at(0), at(1), at(1)]), "cards 0 and 1 (×2)");
  assert.equal(cardsInWords([at(0), at(0, "MLU")]), "MLU card 0 and NVIDIA card 0");
  assert.equal(cardsInWords([at(0)], true), "NVIDIA card 0");
  assert.equal(cardsInWords([at(1), at(null), at(1)]), "2 cards");
});

test("two slices of one card are said", () => {
  const slice = { key: "c1", index: 1, vendor: "NVIDIA", isSlice: true };
  assert.equal(cardsInWords([slice, slice]), "card 1 (2 slices)");
});

test("the sentence names the vendor where the node has cards of another one too", () => {
  const gives = { c: [[{ id: "GPU-0", memory: 1, cores: 1, slice: null }]] };
  const cards = { node: "a", fit: 1, score: null, best_count: 1, devices: { NVIDIA: gives.c } };
  const event = { nodes: 1, exchanges: [{ verb: "filter", sent: 1, cards }] };
  const said = (vendors) => plain(placedSentence(event, { cardNumber: () => 0, vendorsOn: () => vendors }));
  assert.match(said(["NVIDIA"]), /, card 0\./);
  assert.match(said(["MLU", "NVIDIA"]), /, NVIDIA card 0\./);
});

test("a fold names a decision's cards without what came before", () => {
  const cards = { node: "a", fit: 1, score: null, best_count: 1, devices: { NVIDIA: [[{ id: "GPU-a-10", memory: 1, cores: 1, slice: null }]] } };
  const event = { nodes: 1, exchanges: [{ verb: "filter", sent: 1, cards }] };
  assert.match(plain(placedSentence(event, namesOfCards(made().fold))), /, card 10\./);
});

test("the tries of several containers are headed by their names", () => {
  const [main, side] = ["main", "side"].map((container) => ({ container, vendor: "NVIDIA" }));
  assert.deepEqual([containerWords(main, [main]), containerWords(side, [main, side])], ["NVIDIA", "side, NVIDIA"]);
});

test("the chain says how many were left at each stage", () => {
  const words = (facts) => chainOf(facts).map((step) => step.words).join(" › ");
  const facts = { nodes: 15, asked: 12, fits: 3, policy: "binpack", chosen: "a03", tries: TRIES };
  assert.equal(words(facts), "15 › kube 12 › HAMi 3 › binpack a03 › 2 of 5");
  assert.equal(words({ ...facts, fits: 0, chosen: null }), "15 › kube 12 › HAMi 0");
});

test("a pod that no card takes: nodes and reasons, those that came nearest first", () => {
  const nodes = [
    { node: "l01", reason: "4/4 CardTypeMismatch" },
    { node: "a05", reason: "3/8 AllocatedCardsInsufficientRequest, 2/8 CardInsufficientMemory, 3/8 CardInsufficientCore" },
    { node: "cpu", reason: "node unregistered" },
  ];
  const { rows, letters, whole } = matrixOf(nodes);
  assert.deepEqual(rows.map(({ node: name, found, cards }) => [name, found, cards]), [["a05", 3, 8], ["l01", 0, 4]]);
  assert.deepEqual(letters, ["m", "c", "t"]);
  assert.equal(rows[0].byLetter.get("c"), 3);
  assert.deepEqual(whole, [{ word: "node unregistered", nodes: ["cpu"] }]);
});

test("of one card it is said which of its limits is used up", () => {
  const slots = card("a", 3, { used: 10, used_memory: 36864, used_cores: 40 });
  assert.deepEqual(usedUp(slots), ["slots"]);
  assert.equal(plain(roomWords(slots)), "45,056 MiB and 60 cores are free, but no eleventh pod may come: the slots are taken.".replace("are free", "stay free"));
  assert.match(plain(roomWords(card("a", 0))), /81,920 MiB and 100 cores are free, and 10 slots/);
  assert.match(plain(roomWords(card("a", 0, { mode: "mig", used: 2 }))), /are free, but only as slices: MIG cuts the card/);
  assert.match(plain(roomWords(card("a", 0, { health: false }))), /nobody may come: the card isn't healthy/);
  assert.match(plain(roomWords(card("a", 0, { used: 1, used_cores: 100 }))), /no core is left/);
});

/** An NPU with 8 cores of which pods in hami-core mode, for which it has 100, have more. */
const npu = (used_cores, fields = {}) => card("a", 0, { vendor: "Ascend910B", cores: 8, used: 1, used_cores, ...fields });

test("more cores given than a card registered is told with its reason, and not as less than none free", () => {
  assert.match(plain(roomWords(npu(10))), /0 cores are free, but no core is left: 10 of 8 are given\. Only pods in hami-core mode may come: they may have up to 100/);
  assert.match(plain(roomWords(npu(100))), /100 of 8 cores given: pods in hami-core mode may have up to 100 of an NPU's cores, however many it registered\. So nobody may come\.$/);
  assert.match(plain(roomWords(card("a", 0, { used: 1, used_cores: 102 }))), /102 of 100 cores given: so the pods' annotations say\. So nobody/);
  assert.match(cardWords({ taken: new Map(), verdicts: new Map(), words: new Map() }, npu(10)), /, 10 of 8 cores,/);
});

test("what a card had for the pod that asked is what was free, and never less than nothing", () => {
  const tried = (fields) => {
    const one = { ...npu(10), id: "n", profiles: [], in_use: [], verdict: "refused", reason: "CardInsufficientCore", score: 0, cores_for_pod: 8, used_memory: 0, ...fields };
    const container = { container: "c", vendor: "Ascend910B", memory: 0, percentage: 101, cores: 2, cards: [one] };
    const { containers } = judgedNode({ node: "a", cards: { reason: "", containers: [container] } });
    return containers[0].tries[0].figures;
  };
  const over = "10 of 8 cores given: pods in hami-core mode may have up to 100 of an NPU's cores, however many it registered";
  assert.deepEqual(tried({}), [{ what: "cores", asked: 2, free: 0, over }]);
  assert.deepEqual(tried({ cores_for_pod: 100 }), [{ what: "cores", asked: 2, free: 90, over: "" }]);
  assert.deepEqual(tried({ reason: "CardInsufficientMemory", used_memory: 90000 }), [{ what: "MiB", asked: 0, free: 0, over: "90,000 of 81,920 MiB given: so the pods' annotations say" }]);
});

test("of a card in MIG mode the slice is told, or which profiles had no free place", () => {
  const mig = { profiles: ["2g.10gb", "7g.40gb"], inUse: ["1g.5gb@6+1"], slices: [] };
  const refused = { verdict: "refused", reason: "CardMigTopologyInfeasible" };
  assert.equal(sliceWords({ ...mig, slices: ["2g.10gb@0+2"] }, { verdict: "taken", reason: "" }), "slice 2g.10gb@0+2: the least profile with enough memory and a free place. ");
  assert.equal(sliceWords(mig, refused), "2g.10gb, 7g.40gb would be large enough and have no free place; in use: 1g.5gb@6+1. ");
  assert.equal(sliceWords({ ...mig, profiles: [] }, refused), "it has no profile with so much memory. ");
  assert.equal(sliceWords(mig, { ...refused, reason: "CardNotHealth" }), "");
  assert.equal(sliceWords(null, refused), "");
});

test("an NPU has 100 cores for shapes that ask for cores, and those it registered for others", () => {
  const ask = (cores) => ({ vendor: "Ascend910B", count: 1, memory: 1024, percentage: 0, cores });
  assert.deepEqual([hindrance(npu(10), ask(20)), hindrance(npu(90), ask(20)), hindrance(npu(10), ask(0)), hindrance(npu(4), ask(0))], ["", "c", "c", ""]);
});

const shape = (memory, cores, weight, fields = {}) => ({ vendor: "NVIDIA", count: 1, memory, percentage: 0, cores, weight, ...fields });

test("what a card lacks for a shape is named as HAMi would", () => {
  const small = shape(4096, 10, 1);
  const why = (fields, wanted = small) => hindrance(card("a", 0, fields), wanted, fields);
  assert.equal(why({}), "");
  assert.deepEqual(
    [{ used: 10 }, { health: false }, { used_memory: 80000 }, { used_cores: 95 }, { isCordoned: true }, { vendor: "DCU" }].map((one) => why(one)),
    ["s", "h", "m", "c", "k", "t"],
  );
  assert.equal(why({ used: 1 }, shape(4096, 100, 1)), "x");
  assert.equal(why({ used: 1, used_cores: 100 }, shape(4096, 0, 1)), "c");
});

test("fragmentation is the free memory that shapes can't take, each by its share of the requests", () => {
  const cards = [
    card("a", 0, { used: 1, used_memory: 61440, used_cores: 50 }),
    card("a", 1),
    card("a", 2, { used: 10, used_memory: 40960, used_cores: 20 }),
  ];
  const [small, large] = [shape(8192, 10, 3), shape(40960, 100, 1)];
  const found = fragmentationOf(cards, [small, large]);
  assert.equal(found.held, 102400);
  assert.equal(found.free, 20480 + 81920 + 40960);
  assert.equal(found.lost, 20480 * 0.25 + 40960);
  assert.equal(found.dead, 40960);
  assert.deepEqual(found.cards.map(({ lost, dead }) => [lost, dead]), [[0.25, ""], [0, ""], [1, "s"]]);
  assert.deepEqual(found.shapes.map(({ out, more }) => [out, more]), [[40960, 2 + 10], [61440, 1]]);
});

test("of what is lost it is told apart what another vendor's cards have free", () => {
  const cards = [card("a", 0), card("b", 0, { vendor: "Ascend910B", used_memory: 41920 })];
  const shapes = [shape(8192, 10, 3, { vendor: "NVIDIA" }), shape(90000, 0, 1, { vendor: "Ascend910B" })];
  const { lost, foreign } = fragmentationOf(cards, shapes);
  assert.deepEqual([lost, foreign], [81920 * 0.25 + 40000, 81920 * 0.25 + 40000 * 0.75]);
  assert.equal(shapeWords(shapes[0], true), "8,192 MiB, 10 cores of NVIDIA");
});

test("a shape of several cards takes different cards of one node", () => {
  const cards = [0, 1, 2].map((i) => card("a", i)).concat(card("b", 0));
  const { lost, shapes, cards: rows } = fragmentationOf(cards, [shape(81920, 100, 1, { count: 2 })]);
  assert.deepEqual([lost, shapes[0].out, shapes[0].more], [81920, 81920, 1]);
  assert.deepEqual(rows.map(({ dead }) => dead), ["", "", "", "+"]);
  assert.equal(fitsMore(shape(81920, 100, 1, { count: 2 }), cards), 1);
  assert.equal(fitsMore(shape(0, 0, 1, { percentage: 50 }), cards), 8);
});

test("without shapes nothing is lost, and no card without free memory is dead", () => {
  assert.equal(fragmentationOf([card("a", 0)], []).lost, 0);
  const full = card("a", 0, { used: 10, used_memory: 81920 });
  assert.equal(fragmentationOf([full], [shape(1, 1, 1)]).cards[0].dead, "");
});

test("the shapes of a run are what its pods were given, and the curve leaves the fold where it stood", () => {
  const { fold } = made();
  fold.moveTo(1);
  const shapes = shapesOf(fold);
  assert.deepEqual(shapes.map((one) => [shapeWords(one), one.weight]), [["2 × 8,192 MiB, 20 cores", 1], ["4,096 MiB, 10 cores", 1]]);
  assert.deepEqual(allCards(fold).map(({ node: name, index }) => [name, index]), [["a", 2], ["a", 10], ["b", 0]]);
  const curve = lossOverRun(fold, () => [shape(90000, 10, 1)]);
  assert.deepEqual(curve, [0, 1, 2].map((seq) => ({ seq, share: 1 })));
  assert.equal(fold.at, 1);
});

test("the webhook's patch is told operation by operation, and what it left alone too", () => {
  const review = (patch, message) => ({ patch, response: { response: { allowed: true, status: { message } } } });
  const patch = [
    { op: "replace", path: "/spec/schedulerName", value: "hami-scheduler" },
    { op: "add", path: "/spec/containers/0/resources/limits/nvidia.com~1gpu", value: "1" },
    { op: "add", path: "/metadata/annotations", value: { "a/b": "c" } },
    { op: "remove", path: "/spec/x" },
  ];
  assert.deepEqual(webhookLines(review(patch)), [
    "replace spec.schedulerName: hami-scheduler",
    "add spec.containers.0.resources.limits.nvidia.com/gpu: 1",
    'add metadata.annotations: {"a/b":"c"}',
    "remove spec.x",
  ]);
  assert.match(webhookLines(review([]))[0], /nothing to complete/);
  assert.deepEqual(webhookLines(review([], "pod already has different scheduler assigned")), ["pod already has different scheduler assigned"]);
  assert.match(webhookLines(null)[0], /was not asked/);
});

test("a node has the letter of all its cards, or that they are too few", () => {
  assert.equal(nodeLetter("8/8 CardInsufficientMemory"), "m");
  assert.equal(nodeLetter("2/8 CardInsufficientMemory, 6/8 AllocatedCardsInsufficientRequest"), "+");
  assert.equal(nodeLetter("NodeInsufficientDevice"), "+");
  assert.deepEqual([nodeLetter(""), nodeLetter("node unregistered")], ["", ""]);
});

test("narrow cards with the same mark share it, wide ones have one each", () => {
  assert.deepEqual(runsOf(["m", "m", "", "t", "m"]), [{ mark: "m", from: 0, to: 1 }, { mark: "t", from: 3, to: 3 }, { mark: "m", from: 4, to: 4 }]);
  const columns = (w) => [0, 1, 2].map((i) => ({ card: i, box: { x: i * w, y: 0, w, h: 60 } }));
  const markOf = (card) => ["m", "m", "c"][card];
  assert.deepEqual(marksAbove(columns(20), markOf).map(({ mark, line }) => [mark, line]), [["m", null], ["m", null], ["c", null]]);
  const narrow = marksAbove(columns(6), markOf);
  assert.deepEqual(narrow.map(({ mark, line }) => [mark, line.x, line.w]), [["m", 0, 12], ["", 12, 6]]);
  assert.deepEqual(marksAbove([], markOf), []);
});

/** 30 nodes: a0 is taken, the others are short of memory on one card and of cards in all. */
const RESULTS = Array.from({ length: 30 }, (_, i) => ({
  node: `a${i}`, status: i ? { plugin: "hami", reasons: [] } : null,
  cards: i ? { reason: "1/2 CardInsufficientMemory, 1/2 AllocatedCardsInsufficientRequest", score: null, slots: 0, cores: 0, memory: 0, refused: { CardInsufficientMemory: [`c${i}`] }, given_up: [`d${i}`] } : null,
}));

test("of many nodes all are judged in one answer, and only the chosen one is asked about by itself", async () => {
  const asked = [];
  const event = { exchanges: [{ extender: "hami", verb: "filter", sent: 30, cards: { node: "a0", fit: 1, devices: {}, reasons: {} } }] };
  const answers = { rows: async () => RESULTS, whole: async () => ({ extenders: [] }), node: async (name) => (asked.push(name), { node: name, cards: null }) };
  const { nodes, isWhole } = await judge(event, answers);
  assert.deepEqual([asked, nodes.length, isWhole], [["a0"], 30, true]);
  const map = new MapCards({ fold: { nodes: RESULTS.map(({ node: name }) => ({ name })) }, reading: {} });
  map.learn({ nodes, by: "HAMi" });
  assert.deepEqual([map.verdicts.get("a7/c7"), map.verdicts.get("a7/d7"), map.words.get("a7/c7")], ["m", "↩", "CardInsufficientMemory"]);
  assert.deepEqual([map.letterOf(7), map.letterOf(0), map.lettersShown()], ["+", null, ["m", "+"]]);
  map.forget();
  assert.deepEqual(map.lettersShown(), []);
});

test("a node in short without cards has the reason that the log has", () => {
  assert.equal(nodeInShort({ node: "a", status: { plugin: "hami", reasons: ["node unregistered"] }, cards: null }).reason, "node unregistered");
  assert.equal(nodeInShort({ node: "a", status: null, cards: null }).reason, "");
});

test("whose requests count stands in the address, and what isn't understood is the run's", () => {
  const own = readMix("NVIDIA:2:24576:30");
  assert.deepEqual([own.kind, own.shape.count, own.shape.memory, own.shape.cores], [OWN, 2, 24576, 30]);
  assert.equal(writeShape(own.shape), "NVIDIA:2:24576:30");
  assert.deepEqual(["pending", null, "x", "NVIDIA:0:1:1", "NVIDIA:1:1"].map((text) => readMix(text).kind), [PENDING, RUN, RUN, RUN, RUN]);
});

test("what waits is weighed at the reader's decision, copies like the first in their line", () => {
  const copy = { ...pod("tune-2"), replaces: tune.uid };
  const log = logOf(state([node("a")], [tune, copy, pod("other")]), [{ kind: "attempt", outcome: "scheduled", pod: ref(tune), chosen: "a", changes: bind(tune, "a") }]);
  const asked = [{ vendor: "NVIDIA", number: 2, memory: 8192, percentage: 0, cores: 20, pods: [tune.uid] }, { vendor: "NVIDIA", number: 1, memory: 1, percentage: 0, cores: 1, pods: ["gone"] }];
  const waiting = () => shapesIn({ kind: PENDING }, log.fold, asked).map(({ count, weight }) => [count, weight]);
  assert.deepEqual(waiting(), [[2, 2]]);
  log.fold.moveTo(1);
  assert.deepEqual(waiting(), [[2, 1]]);
  assert.deepEqual(shapesIn(readMix("NVIDIA:1:1:1"), log.fold, null).map(({ count }) => count), [1]);
});

test("that most nodes have no cards isn't the main reason of a pod that other nodes turn down", () => {
  const rejections = [{ reasons: ["node unregistered"], nodes: 1300 }, { reasons: ["8/8 CardInsufficientMemory"], nodes: 158 }];
  assert.deepEqual(reasonCounts(rejections)[0], ["8/8 CardInsufficientMemory", 158]);
  assert.deepEqual(reasonCounts(rejections.slice(0, 1))[0], ["node unregistered", 1300]);
  const other = { reasons: ["NodeInsufficientDevice"], nodes: 900 };
  assert.deepEqual(reasonCounts([...rejections, other]).map(([reason]) => reason), ["8/8 CardInsufficientMemory", "NodeInsufficientDevice", "node unregistered"]);
  assert.deepEqual(["8/8 CardInsufficientMemory", "2/8 CardTypeMismatch"].map(shortReason), ["CardInsufficientMemory", "2/8 CardTypeMismatch"]);
});

test("the chain and the funnel write numbers and names as the reader wants them", () => {
  const words = chainOf({ nodes: 1500, asked: 1499, fits: 62, policy: "binpack", chosen: "12-34", tries: null }).map(({ words: text }) => text);
  assert.deepEqual(words, ["1,500", "kube 1,499", "HAMi 62", "binpack 12-34"]);
  const bands = nodeBands([{ node: "ip-10-0-12-34", reason: "" }], { chosen: "ip-10-0-12-34", policies: { node: "binpack" }, shown: (name) => name.slice(8) });
  assert.equal(bands.at(-1).label, "most used: 12-34");
});

test("the loss alone is that of the whole figure", () => {
  const cards = [card("a", 0, { used: 2, used_memory: 70000 }), card("a", 1, { used: 10, used_memory: 100 }), card("b", 0, { health: false })];
  const shapes = [shape(4096, 10, 3), shape(40960, 50, 1)];
  const { free, lost } = fragmentationOf(cards, shapes);
  assert.deepEqual(lossOf(cards, shapes), { free, lost });
  assert.deepEqual(lossOf(cards, []), { free, lost: 0 });
});

test("of a node without such cards none is said to be tried", () => {
  assert.equal(orderWords([], "binpack", false), "no card of this node was tried");
  assert.equal(orderWords([{}], "binpack", false), "tried fullest first (binpack)");
  assert.equal(orderWords([{}], "spread", true), "tried by NUMA node, emptiest first (spread)");
  assert.equal(orderWords([{}], "", false), "tried in this order");
});

// Joins what a run with ResourceClaims has beside the other parts of the page: devices on the map's tiles and in its table, and the
// card of a device in the inspector.

import { hasCards } from "../../cards.js";
import { cardsView } from "../cards/view.js";
import { DEVICE_TABS, deviceHead } from "./device-card.js";
import { DevicesOnMap } from "./devices-on-map.js";
import { deviceOf, hasDevices } from "./rows.js";

const ABOUT = { card: { label: "device", find: deviceOf, head: deviceHead, tabs: DEVICE_TABS } };

/** The view of a page whose run has devices in it, else null. Where cards are shared as well, the map shows those. */
export function devicesOf(page) {
  return hasDevices(page.fold) && !hasCards(page.fold) ? cardsView(page, [], DevicesOnMap, ABOUT) : null;
}

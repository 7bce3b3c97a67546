// Cards as the map shows them: on tiles, in the table, in the legend and under the pointer.

import { drawCardButtons, cardWords } from "./card-buttons.js";
import { cardAt, paintCardBars, paintCardSquares, paintCardTile } from "./card-tile.js";
import { drawCardKeys } from "./legend.js";
import { MapCards } from "./map-cards.js";

export class CardsOnMap extends MapCards {
  /** What the legend says that a block stands for. */
  held = "memory of cards held";

  /** How a node's tile is painted, by level of detail (map/layout.js). */
  paint = { tall: paintCardTile, large: paintCardTile, bars: paintCardBars, square: paintCardSquares };

  /** The card at a point of a node's tile, or undefined. */
  at(node, box, detail, hasFoot, point) {
    return cardAt(this.on(node), box, detail, hasFoot, point);
  }

  drawButtons(node) {
    return drawCardButtons(this, node, this.reading);
  }

  drawKeys(letters, detail) {
    return drawCardKeys(letters, detail);
  }

  wordsOf(card) {
    return cardWords(this, card);
  }

  /** Who turned a node down and why, or null. */
  refusalOf(node) {
    const reason = this.reasonFor(node);
    return reason && `${this.by}: ${reason}`;
  }
}

// Times how long the debugger takes to answer a key or a click, from the event's own time stamp to the end of the
// frame that shows its decision. Until "evidence": to when the server's verdicts and scores have come, too.

window.watch = {
  begin(until) {
    this.result = new Promise((resolve) => {
      const start = (event) => {
        removeEventListener("keydown", start, true);
        removeEventListener("pointerdown", start, true);
        const before = sandtable.reading.at;
        const look = async () => {
          const { reading, fold, inspector } = sandtable;
          const shown = reading.at !== before && fold.at === reading.at && inspector.event?.seq === reading.at;
          if (!shown) return requestAnimationFrame(look);
          if (until === "evidence") await sandtable.evidence.cycle(reading.at);
          // A frame later everything that was queued for drawing has been drawn.
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - event.timeStamp)));
        };
        requestAnimationFrame(look);
      };
      addEventListener("keydown", start, true);
      addEventListener("pointerdown", start, true);
    });
  },

  end() {
    return this.result;
  },
};

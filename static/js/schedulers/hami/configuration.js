// HAMi's configuration in the editor of scenarios (../configurations.js).

export const hami = {
  of: "hami",
  document: "HAMi settings",
  object: "HAMi configuration",
  beginning: "nodeSchedulerPolicy: binpack\ngpuSchedulerPolicy: spread",
  /** The editor has switches for the settings that are asked for most. */
  hasSwitches: true,
};

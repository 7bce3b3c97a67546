// Where play may pause at a bind that an extender refuses, for instance since another pod holds the node's lock. Pure.

export const bindFails = {
  key: "bind-fails",
  label: "a bind fails",
  onlyIfAny: true,
  is: ({ exchanges }) => Boolean(exchanges?.some(({ verb, error }) => verb === "bind" && error)),
};

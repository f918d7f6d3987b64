/** The request in the examples of both forms of verification. */
export const exampleRequest = {
  key: "PBGM-A1B2C-D3E4F-G5H6I",
  deviceId: "a3f1c9d2-phone",
  game: "PUBG MOBILE",
};

/** The same in a path, whose parts have another order. */
export const examplePath = [exampleRequest.key, exampleRequest.game, exampleRequest.deviceId]
  .map(encodeURIComponent)
  .join("/");

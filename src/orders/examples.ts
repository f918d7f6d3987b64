/** The order that /swagger shows, as each kind of caller sees it. */
export const exampleOrder = {
  id: 12,
  at: "2025-03-05T14:30:00.000Z",
  game: "PUBG MOBILE",
  deviceLimit: 2,
  days: 30,
  count: 10,
  cost: 30,
  note: "For the summer tournament",
};

export const exampleAdminOrder = { ...exampleOrder, cost: 0, by: "admin" };

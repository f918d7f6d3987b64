/** How the record names an order: `order 12`. */
export function orderTarget(id: number): string {
  return `order ${id}`;
}

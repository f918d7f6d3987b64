const ids = new WeakMap<Request, string>();

/** The name of a request in the log and in the answer's `X-Request-Id`: made when it is first asked for, and the same from then on. */
export function requestIdOf(request: Request): string {
  const known = ids.get(request);
  if (known) return known;
  const id = crypto.randomUUID();
  ids.set(request, id);
  return id;
}

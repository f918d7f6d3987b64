/** What the log says of a request. */
interface Trace {
  /** Its name in the log and in the answer's `X-Request-Id`. */
  readonly requestId: string;
  /** The username of who is signed in, once access has looked. */
  account: string | null;
}

const traces = new WeakMap<Request, Trace>();

/** Made when it is first asked for, and the same from then on. */
export function traceOf(request: Request): Trace {
  const known = traces.get(request);
  if (known) return known;
  const trace = { requestId: crypto.randomUUID(), account: null };
  traces.set(request, trace);
  return trace;
}

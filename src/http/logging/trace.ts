/** What the log says of a request. */
interface Trace {
  /** Its name in the log and in the answer's `X-Request-Id`. */
  readonly requestId: string;
  /** The username of who is signed in, once access has looked. */
  account: string | null;
  /** The sender's, as limits count it, once it was asked for. */
  address?: string;
}

const header = "x-request-id";

/** What a caller, or a proxy before us, may call a request: nothing that would mean something in a log or a header. */
const givenIdPattern = /^[\w.:-]{1,64}$/;

const traces = new WeakMap<Request, Trace>();

/** Made when it is first asked for, and the same from then on. */
export function traceOf(request: Request): Trace {
  const known = traces.get(request);
  if (known) return known;
  const trace: Trace = { requestId: givenIdOf(request) ?? crypto.randomUUID(), account: null };
  traces.set(request, trace);
  return trace;
}

/** The id that came with it, if it may be taken. */
export function givenIdOf(request: Request): string | null {
  const given = request.headers.get(header);
  return given !== null && givenIdPattern.test(given) ? given : null;
}

import type { Static, TSchema } from "@sinclair/typebox";
import type { TypeCheck } from "@sinclair/typebox/compiler";
import { Errors } from "@sinclair/typebox/errors";
import { Check } from "@sinclair/typebox/value";
import type { DirectRoute } from "../http/direct.ts";
import { refusalOf } from "../http/errors.ts";
import { anyOrigin, type EveryAnswer, json, notKept } from "../http/headers.ts";
import type { Peers } from "../http/peer.ts";
import { type Preview, PreviewRequest, type Verdict, VerifyRequest } from "./schema.ts";
import { verdictText } from "./verdict-text.ts";
import type { Verify } from "./verify.ts";
import { previewPath, verifyFailures, verifyPath } from "./verify-call.ts";

/** The two calls of `verify-routes.ts`, for Bun's own router. */
export function verifyDirect({
  peers,
  verify,
  headers,
}: {
  peers: Pick<Peers, "guesserOf">;
  verify: Verify;
  headers: EveryAnswer;
}): DirectRoute[] {
  const init = { headers: new Headers({ ...headers, ...anyOrigin, ...notKept, ...json }) };
  const isVerifyRequest = checkOf(VerifyRequest);
  const isPreviewRequest = checkOf(PreviewRequest);
  const common = { headers: notKept, shaped: verifyFailures.shaped };

  return [
    {
      ...common,
      method: "POST",
      path: verifyPath,
      answer(request, body) {
        if (!isVerifyRequest(body)) throw refusalOf(Errors(VerifyRequest, body), VerifyRequest);
        const verdict = verify.verify(body, () => peers.guesserOf(request));
        return verdict instanceof Promise ? verdict.then(told) : told(verdict);
      },
    },
    {
      ...common,
      method: "GET",
      path: verifyPath + previewPath,
      answer(request) {
        const { params } = request;
        if (!isPreviewRequest(params)) throw refusalOf(Errors(PreviewRequest, params), PreviewRequest);
        const preview = verify.preview(params, () => peers.guesserOf(request));
        return preview instanceof Promise ? preview.then(told) : told(preview);
      },
    },
  ];

  function told(verdict: Verdict | Preview): Response {
    return new Response(verdictText(verdict), init);
  }
}

/** To compile a schema takes 3 to 5 ms while all is cold: who asks first is answered without, and it is compiled as soon as they are. */
function checkOf<Schema extends TSchema>(schema: Schema): (value: unknown) => value is Static<Schema> {
  let compiled: TypeCheck<Schema> | null = null;
  return (value): value is Static<Schema> => {
    if (compiled) return compiled.Check(value);
    setImmediate(async () => {
      const { TypeCompiler } = await import("@sinclair/typebox/compiler");
      compiled ??= TypeCompiler.Compile(schema);
    });
    return Check(schema, value);
  };
}

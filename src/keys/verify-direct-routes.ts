import { TypeCompiler } from "@sinclair/typebox/compiler";
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
  const verifyRequest = whenFirstAsked(() => TypeCompiler.Compile(VerifyRequest));
  const previewRequest = whenFirstAsked(() => TypeCompiler.Compile(PreviewRequest));
  const common = { headers: notKept, shaped: verifyFailures.shaped };

  return [
    {
      ...common,
      method: "POST",
      path: verifyPath,
      answer(request, body) {
        const schema = verifyRequest();
        if (!schema.Check(body)) throw refusalOf(schema.Errors(body), VerifyRequest);
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
        const schema = previewRequest();
        if (!schema.Check(params)) throw refusalOf(schema.Errors(params), PreviewRequest);
        const preview = verify.preview(params, () => peers.guesserOf(request));
        return preview instanceof Promise ? preview.then(told) : told(preview);
      },
    },
  ];

  function told(verdict: Verdict | Preview): Response {
    return new Response(verdictText(verdict), init);
  }
}

/** A start makes what the first question needs, and no more: while all is cold each of the two takes some milliseconds. */
function whenFirstAsked<Made>(make: () => Made): () => Made {
  let made: Made | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

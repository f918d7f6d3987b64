import { Errors } from "@sinclair/typebox/errors";
import type { Clients } from "../http/client-address.ts";
import type { DirectRoute } from "../http/direct.ts";
import { refusalOf } from "../http/errors.ts";
import { anyOrigin, type EveryAnswer, json, notKept } from "../http/headers.ts";
import { textCheckOf } from "../http/text-check.ts";
import { type Preview, PreviewRequest, type Verdict, VerifyRequest } from "./schema.ts";
import { verdictText } from "./verdict-text.ts";
import type { Verify } from "./verify.ts";
import { previewPath, verifyFailures, verifyPath } from "./verify-call.ts";

/** The two calls of `verify-routes.ts`, for Bun's own router. */
export function verifyDirect({
  clients,
  verify,
  headers,
}: {
  clients: Pick<Clients, "addressOf">;
  verify: Verify;
  headers: EveryAnswer;
}): DirectRoute[] {
  const init = { headers: new Headers({ ...headers, ...anyOrigin, ...notKept, ...json }) };
  const isVerifyRequest = textCheckOf(VerifyRequest);
  const isPreviewRequest = textCheckOf(PreviewRequest);
  const common = { headers: notKept, shaped: verifyFailures.shaped };

  return [
    {
      ...common,
      method: "POST",
      path: verifyPath,
      answer(request, body) {
        if (!isVerifyRequest(body)) throw refusalOf(Errors(VerifyRequest, body), VerifyRequest);
        const verdict = verify.verify(body, () => clients.addressOf(request));
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
        const preview = verify.preview(params, () => clients.addressOf(request));
        return preview instanceof Promise ? preview.then(told) : told(preview);
      },
    },
  ];

  function told(verdict: Verdict | Preview): Response {
    return new Response(verdictText(verdict), init);
  }
}

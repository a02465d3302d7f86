// How Windows speaks DCE/RPC on its pipes.
import { isFeatureNegotiation, MAX_CONTEXTS, NDR32, REASON, RESULT } from '../../../protocol/pipes/pdu.ts'
import type { PipeRules } from '../../../protocol/pipes/pipe.ts'

/** Longest fragment that it takes and sends. */
const MAX_FRAGMENT = 4_280

export const RULES: PipeRules = {
  isStrict: true,
  wantsOneBind: false,
  fragment: { first: MAX_FRAGMENT, least: 1_432, most: MAX_FRAGMENT, isAgreed: false },
  saysWhy: false,
  endsAuthentication: false,
  fault: { hint: 32, didNotExecute: true, namesUnknownContext: true },
  judge({ id, transfers }, isKnown, taken) {
    if (taken.size >= MAX_CONTEXTS && !taken.has(id))
      return { result: RESULT.rejected, reason: REASON.localLimit }
    // Security context multiplexing and keeping the connection on an orphan are not offered.
    if (transfers.some(isFeatureNegotiation)) return { result: RESULT.features, reason: 0 }
    if (!isKnown) return { result: RESULT.rejected, reason: REASON.abstractSyntax }
    return transfers.includes(NDR32)
      ? { result: RESULT.accepted, reason: REASON.none }
      : { result: RESULT.rejected, reason: REASON.transferSyntax }
  },
}

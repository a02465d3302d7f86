// How Samba speaks DCE/RPC on its pipes.
import { NDR32, REASON, RESULT } from '../../../protocol/pipes/pdu.ts'
import type { PipeRules } from '../../../protocol/pipes/pipe.ts'

const MIN_FRAGMENT = 2_048
const MAX_CONTEXTS = 32

export const RULES: PipeRules = {
  isStrict: false,
  wantsOneBind: true,
  fragment: { first: MIN_FRAGMENT, least: MIN_FRAGMENT, most: 5_840, isAgreed: true },
  saysWhy: true,
  endsAuthentication: true,
  fault: { hint: 24, didNotExecute: false, namesUnknownContext: false },
  judge({ transfers }, isKnown, taken) {
    if (!isKnown || taken.size >= MAX_CONTEXTS)
      return { result: RESULT.rejected, reason: REASON.abstractSyntax }
    return transfers.includes(NDR32)
      ? { result: RESULT.accepted, reason: REASON.none }
      : { result: RESULT.rejected, reason: REASON.transferSyntax }
  },
}

// Every kind of receiver and the way to it. A new kind is one line here and one file beside.
import type { ReceiverKind } from '../../stores/webhooks/tables.ts'
import { openChatopsSender } from './chatops.ts'
import { openEmailSender } from './email.ts'
import { openGenericSender } from './generic.ts'
import { failed, type Sender, type Sending } from './sender.ts'
import { openSiemSender } from './siem.ts'
import { openSmsSender } from './sms.ts'
import { openTeamchatSender } from './teamchat.ts'

/** Sends to a receiver of any kind; never throws. */
export function openSenders(sending: Sending): Sender {
  const email = openEmailSender(sending)
  const byKind: Readonly<Record<ReceiverKind, Sender>> = {
    generic: openGenericSender(sending),
    teamchat: openTeamchatSender(sending),
    chatops: openChatopsSender(sending),
    siem: openSiemSender(sending),
    email,
    sms: openSmsSender(sending),
    summary: email,
  }
  return async (to, message, messageId) => {
    try {
      return await byKind[to.kind](to, message, messageId)
    } catch (error) {
      return failed((error as Error).message)
    }
  }
}

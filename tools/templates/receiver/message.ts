// Some name: what a message becomes there. Pure; text from outside must not act.
import type { Message } from '@rookery/console/notify/message/message.ts'

export const someNameMessage = ({ description, intro }: Message): object => ({
  text: `${description}: ${intro}`,
})

// JSON answers: `application/json` to the letter (Fastify would add a charset to text), a newline at the end.
import type { FastifyReply } from 'fastify'

export const sendJson = (reply: FastifyReply, value: unknown): FastifyReply =>
  sendText(reply, JSON.stringify(value) + '\n')

/** JSON text with its newline. As text it shares one write with the header; the serializer keeps the charset away. */
export const sendText = (reply: FastifyReply, text: string): FastifyReply =>
  reply.header('Content-Type', 'application/json').serializer(asItIs).send(text)

const asItIs = (text: unknown): string => text as string

// JSON answers: `application/json` to the letter (Fastify would add a charset to text), a newline at the end.
import type { FastifyReply } from 'fastify'

export const sendJson = (reply: FastifyReply, value: unknown): FastifyReply =>
  sendJsonText(reply, JSON.stringify(value))

export const sendJsonText = (reply: FastifyReply, text: string): FastifyReply => sendText(reply, text + '\n')

/** JSON text with its newline. As text it shares one write with the header; the serializer keeps the charset away. */
export const sendText = (reply: FastifyReply, text: string): FastifyReply =>
  reply.header('Content-Type', 'application/json').serializer(asItIs).send(text)

const asItIs = (text: unknown): string => text as string

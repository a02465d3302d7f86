// JSON as it leaves: `application/json` to the letter (Fastify would add a charset to text), a newline at the end.
import type { FastifyReply } from 'fastify'

export const sendJson = (reply: FastifyReply, value: unknown): FastifyReply =>
  sendJsonText(reply, JSON.stringify(value))

export const sendJsonText = (reply: FastifyReply, text: string): FastifyReply =>
  reply.header('Content-Type', 'application/json').send(Buffer.from(text + '\n'))

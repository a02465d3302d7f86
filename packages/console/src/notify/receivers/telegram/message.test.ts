import { expect, it } from 'vitest'
import { forEachHostileMessage } from '../../../../test/hostile-messages.ts'
import { telegramText } from './message.ts'

it('leaves nothing of an intruder outside of code, where Telegram finds links, names and commands', () => {
  forEachHostileMessage(
    (message) => {
      const rest = telegramText(message)
        .replace(/<(code|pre)>[^<>]*<\/\1>/g, '')
        .replace(/<a href="https:\/\/rookery\.example\.com\/[^"<>]*">Open the (incident|console)<\/a>/, '')
      expect(rest.trim()).toBe('')
    },
    {
      consoleUrl: 'https://rookery.example.com/',
      pieces: [
        '<',
        '</code>',
        '</pre>',
        '@all',
        '/start@bot',
        'https://evil.test',
        '&lt;',
        '&',
        '"',
        '\n',
        '#tag',
      ],
    },
  )
})

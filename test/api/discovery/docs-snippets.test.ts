// Blocks of the documentation, as they are made from the examples of the registry.
import { describe, expect, test } from '@jest/globals'
import { COMMAND_LINES, clientBlock, snippetsOf, variablesOf } from '../../../api/discovery/pages/docs-snippets.ts'
import { COMMANDS } from '../../../client/cli/commands.ts'
import { OPERATIONS, operationList } from '../../../schemas/operations/registry.ts'

const SERVICE = { baseUrl: 'https://work.example', decimals: 6, tokenSeconds: 60, signInSeconds: 86_400 }

describe('the command line of an operation', () => {
  test.each(Object.entries(COMMAND_LINES))('of %s is a command that calls it, with the arguments that it takes', (id, row) => {
    const command = COMMANDS.find(({ name }) => name === row.command)
    expect(command?.operations).toContain(id)
    const given = (row.action === undefined ? 0 : 1) + (row.arguments ?? []).length + (row.input === undefined ? 0 : 1)
    const needed = (command?.arguments ?? []).filter(({ isOptional }) => isOptional !== true).length
    expect(given).toBe(needed)
    expect((row.options?.split(' ') ?? []).filter((option) => command?.options[option.slice(2)] === undefined)).toEqual([])
  })

  test('exists for every command that stands for an operation', () => {
    const shown = Object.values(COMMAND_LINES).map(({ command }) => command as string)
    const missing = COMMANDS.filter(({ name, operations }) => operations.length > 0 && !shown.includes(name)).map(({ name }) => name)
    // Test money, a transaction that goes directly on chain, and a program that a tool host starts: no operation does them. `admin` does many.
    expect(missing).toEqual(['dispute', 'faucet', 'mcp', 'admin'])
  })
})

describe('the blocks of an operation', () => {
  test('keep the values of the example, and put variables where only the reader has one', () => {
    expect(snippetsOf(OPERATIONS.createShare, SERVICE)).toEqual([
      [
        'curl',
        [
          `curl -s 'https://work.example/shares' -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' -d @- <<JSON`,
          '{"surface":"session","sessionId":"$SESSION_ID","ttlSeconds":86400}',
          'JSON',
        ].join('\n'),
      ],
      ['TypeScript', "console.log(await client.createShare({ surface: 'session', sessionId: SESSION_ID, ttlSeconds: 86400 }))"],
    ])
  })

  test('name no variable that the page does not explain, and explain none that they do not name', () => {
    for (const spec of operationList) {
      const blocks = snippetsOf(spec, SERVICE)
      const [, curl = ''] = blocks[0] ?? []
      const named = new Set([...curl.matchAll(/\$([A-Z][A-Z0-9_]*)/g)].map(([, name]) => name))
      expect([spec.id, [...named].sort()]).toEqual([spec.id, [...variablesOf(spec).keys()].sort()])
      for (const [, text] of blocks) expect(text).not.toMatch(/…|0x0{8}|starter-docs-001:/)
    }
  })

  test('begin, in TypeScript, with a client that has the token where one is needed', () => {
    expect(clientBlock(['TOKEN', 'JOB_ID'], SERVICE)).toBe(
      [
        "import { createClient } from 'agent-work-client'",
        '',
        "const { JOB_ID = '' } = process.env",
        "const client = createClient({ baseUrl: 'https://work.example', token: process.env.TOKEN })",
      ].join('\n'),
    )
    expect(clientBlock([], SERVICE)).not.toContain('process.env')
  })
})

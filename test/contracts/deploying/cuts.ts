// Kills a command at a chosen point: a proxy between it and the node sees each transaction.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import type { Hex } from 'viem'
import type { Entry, JournalHead } from '../../../contracts/deployment/journal.ts'
import type { Place } from './deployed.ts'

/** Before the signature is written; after it, before it is sent; after the node has it, before it is mined; after it is mined. */
export const POINTS = ['unsigned', 'signed', 'sent', 'mined'] as const
export type Point = (typeof POINTS)[number]

export interface Cut {
  /** Which transaction of the command, from 1 on. */
  readonly nth: number
  readonly point: Point
}

interface Call {
  readonly method: string
}

/** A way to the node on which a cut may lie. */
export async function openWay({ anvil, rpc }: Place) {
  let seen = 0
  let cut: { readonly at: Cut; readonly kill: () => void } | null = null
  let wasKilled = false

  const forward = async (body: string): Promise<string> => {
    const answer = await fetch(anvil.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return answer.text()
  }
  const die = (): null => {
    cut?.kill()
    wasKilled = true
    return null
  }
  /** The answer to a call; null when the command is killed instead. */
  const answer = async (body: string): Promise<string | null> => {
    const { method } = JSON.parse(body) as Call
    const at = cut?.at
    if (method === 'eth_sendRawTransaction') seen++
    if (method === 'eth_estimateGas' && at?.point === 'unsigned' && seen + 1 === at.nth) return die()
    const isHere = at !== undefined && seen === at.nth
    if (method === 'eth_sendRawTransaction' && isHere) {
      if (at.point === 'signed') return die()
      if (at.point === 'sent') {
        await rpc('evm_setAutomine', false)
        await forward(body)
        return die()
      }
    }
    const text = await forward(body)
    if (method === 'eth_getTransactionReceipt' && isHere && at.point === 'mined' && !text.includes('"result":null')) return die()
    // A command that goes on sends the same bytes to a node that holds them back; only then they are mined.
    if (method === 'eth_sendRawTransaction') await rpc('evm_mine')
    return text
  }
  const server = createServer(async (request, response) => {
    const text = wasKilled ? null : await answer((await buffer(request)).toString())
    if (text === null) return request.socket.destroy()
    response.setHeader('content-type', 'application/json')
    response.end(text)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Runs a command of the contracts to its end or to its cut. */
    async run(args: readonly string[], at?: Cut): Promise<{ code: number | null; output: string; wasCut: boolean }> {
      const child = spawn(process.execPath, ['contracts/deployment/cli.ts', ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
      seen = 0
      wasKilled = false
      cut = at ? { at, kill: () => child.kill('SIGKILL') } : null
      const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
      return { code: code as number | null, output: output + errors, wasCut: wasKilled }
    },
    close: () => server.close(),
  }
}

export const readJournal = (path: string): [JournalHead, ...Entry[]] =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line)) as [JournalHead, ...Entry[]]

/** Nonces that a journal has signatures for, in order. */
export const noncesIn = (path: string): number[] => readJournal(path).flatMap((entry) => ('nonce' in entry ? [entry.nonce] : []))

export const nonceOf = async ({ rpc }: Place, address: Hex): Promise<number> =>
  Number(await rpc('eth_getTransactionCount', address, 'latest'))

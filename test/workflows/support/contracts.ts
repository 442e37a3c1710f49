import { readFileSync } from 'node:fs'
import * as chainFollower from '../../../schemas/processes/chain-follower.ts'
import * as claimSession from '../../../schemas/processes/claim-session.ts'
import * as common from '../../../schemas/processes/common.ts'
import * as dispute from '../../../schemas/processes/dispute.ts'
import * as verifierRun from '../../../schemas/processes/verifier-run.ts'

/** A message that a contract defines: what it is called there, and on the wire. */
export interface Message {
  /** Name of the exported definition. */
  key: string
  type: 'update' | 'signal' | 'query'
  /** Name on the wire. */
  name: string
}

/** Processes and the file of each; a process of a later release is added by its contract. */
export const PROCESSES = {
  claimSession: 'claim-session',
  verifierRun: 'verifier-run',
  dispute: 'dispute',
  chainFollower: 'chain-follower',
} as const
export type Process = keyof typeof PROCESSES

const CONTRACTS: Record<Process | 'common', object> = { claimSession, verifierRun, dispute, chainFollower, common }

const isMessage = (value: unknown): value is { type: Message['type']; name: string } =>
  typeof value === 'object' && value !== null && 'type' in value && ['update', 'signal', 'query'].includes(String(value.type))

const messagesOf = (contract: object): Message[] =>
  Object.entries(contract).flatMap(([key, value]) => (isMessage(value) ? [{ key, type: value.type, name: value.name }] : []))

/** Every message of every contract of `schemas/processes`, by the name of its definition. */
export const MESSAGES = new Map(
  Object.values(CONTRACTS)
    .flatMap(messagesOf)
    .map((message) => [message.key, message]),
)

/** Source of a process, as it is written. */
export const sourceOf = (process: Process): string =>
  readFileSync(new URL(`../../../workflows/${PROCESSES[process]}.ts`, import.meta.url), 'utf8')

/** Names of the definitions that a process has a handler for, by its source. */
export const handledBy = (process: Process): string[] => [...sourceOf(process).matchAll(/setHandler\((\w+)/g)].map(([, key = '']) => key)

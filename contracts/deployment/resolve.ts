// Turns a step into a transaction, once the addresses of the parts before it are known.
import { type Address, encodeDeployData, encodeFunctionData, type Hex, keccak256, type PublicClient, toHex } from 'viem'
import { type ContractArtifact, type ContractName, loadArtifact } from '../artifact.ts'
import type { CallStep, Plan, Step, Value } from './plan.ts'

const artifacts = new Map<ContractName, Promise<ContractArtifact>>()

/** The artefact of a contract, read once. */
export const artifactOf = (name: ContractName): Promise<ContractArtifact> => {
  const known = artifacts.get(name) ?? loadArtifact(name)
  artifacts.set(name, known)
  return known
}

/** Known addresses of parts, by their names. */
export type Parts = ReadonlyMap<string, Address>

/** The address of a part; a plan that names an unknown one is wrong. */
export const partOf = (parts: Parts, name: string): Address => {
  const address = parts.get(name)
  if (address === undefined) throw new Error(`the plan names ${name} before it exists`)
  return address
}

const resolveValue = (value: Value, parts: Parts, next?: Address): unknown => {
  if (typeof value !== 'object') return value
  if ('ref' in value) return partOf(parts, value.ref)
  if (next === undefined) throw new Error(`only a creation may name ${value.next}`)
  return next
}

/** Receiver and data of a step; a creation has no receiver. `next` is the address of the sender's creation after this one. */
export async function transactionOf(step: Step, parts: Parts, next: Address): Promise<{ to?: Address; data: Hex }> {
  const { abi, bytecode } = await artifactOf(step.contract)
  const args = step.args.map((value) => resolveValue(value, parts, next))
  if (step.create) return { data: encodeDeployData({ abi, bytecode, args }) }
  return { to: partOf(parts, step.to), data: encodeFunctionData({ abi, functionName: step.call, args }) }
}

/** Whether the chain shows that a call is done; false where it does not show such a thing. */
export async function isShown(client: PublicClient, { contract, to, shows }: CallStep, parts: Parts): Promise<boolean> {
  const { abi } = await artifactOf(contract)
  const answers = shows.map(async ({ read: functionName, args, is, atLeast }) => {
    const values = args.map((value) => resolveValue(value, parts))
    const found = await client.readContract({ address: partOf(parts, to), abi, functionName, args: values })
    if (atLeast !== undefined) return BigInt(String(found)) >= atLeast
    return is !== undefined && String(found).toLowerCase() === String(resolveValue(is, parts)).toLowerCase()
  })
  return shows.length > 0 && (await Promise.all(answers)).every(Boolean)
}

/** Identity of a plan together with the code that it creates: another build has another one. */
export async function planHash(plan: Plan): Promise<Hex> {
  const code = await Promise.all(
    plan.steps.map(async ({ create, contract }) => (create ? keccak256((await artifactOf(contract)).bytecode) : null)),
  )
  const text = JSON.stringify([plan, code], (_, value) => (typeof value === 'bigint' ? value.toString() : value))
  return keccak256(toHex(text))
}

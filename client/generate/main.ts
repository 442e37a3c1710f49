import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { OperationSpec } from '../../schemas/operations/operation.ts'
import { operationList } from '../../schemas/operations/registry.ts'
import { COMMANDS } from '../cli/commands.ts'
import { describeOperations, printOperations } from './print.ts'
import { printShapes } from './print-shapes.ts'

const pathOf = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url))
/** Built from the registry, and not committed. */
const GENERATED = pathOf('src/generated/operations.ts')
const SHAPES = pathOf('src/generated/shapes.ts')
/** Operations whose answers are checked: those of the commands, and the one by which all of them recognise the service. */
const CHECKED = ['getHealth', ...COMMANDS.flatMap(({ operations }) => operations)]
/** Committed, so that a review shows what a change does to callers. */
export const LIST = pathOf('operations.txt')

/** One line an operation: method, path, id and the statuses of its answers. */
export const listOperations = (operations: readonly OperationSpec[]): string =>
  operations.map(({ id, method, path, responses }) => `${method} ${path} ${id} ${Object.keys(responses).join(',')}\n`).join('')

/** Replaces a file unless it has this text, so that its time of change means something. */
const replace = (path: string, text: string): void => {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  console.log(`${path} is written`)
}

if (import.meta.main) {
  const found = describeOperations(operationList)
  replace(GENERATED, printOperations(found))
  replace(SHAPES, printShapes(found, CHECKED))
  if (process.argv.includes('--list')) replace(LIST, listOperations(operationList))
}

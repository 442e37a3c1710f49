import { writeFileSync } from 'node:fs'
import type { Job } from '../../src/generated/operations.ts'
import { systemCode, usageError } from '../failures.ts'

/** The example of a submission as a file holds it. */
export const exampleText = ({ submissionContract }: Pick<Job, 'submissionContract'>): string => {
  const { submission } = submissionContract.submitPayloadExample
  return `${typeof submission === 'string' ? submission : JSON.stringify(submission, null, 2)}\n`
}

/** Writes a new file. Returns false, and changes nothing, when it exists. */
export const writeNewFile = (path: string, text: string): boolean => {
  try {
    writeFileSync(path, text, { flag: 'wx' })
    return true
  } catch (error) {
    const code = systemCode(error)
    if (code === 'EEXIST') return false
    throw code === undefined ? error : usageError(`The file ${path} cannot be written: ${code}.`)
  }
}

const isPlaceholder = (text: string, name: string): boolean => [`<${name}>`, '<entry>', '<text>', '<value>'].includes(text)

/** Pointers to the members that still hold what the example has. */
export const findPlaceholders = (value: unknown, name = 'text', pointer = ''): string[] => {
  if (typeof value === 'string') return isPlaceholder(value, name) ? [pointer] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([member, part]) => findPlaceholders(part, member, `${pointer}/${member}`))
}

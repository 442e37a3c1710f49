import type { EntitySchema } from '@mikro-orm/core'
import type { z } from 'zod'
import type { OperationSpec } from './operations/operation.ts'

/** A part of the service under one name on every layer, and what it adds to it. */
export interface Subject {
  readonly name: string
  /**
   * `technical`: knows no business of the service. `overview`: starts, reports on or describes the others, and builds on every subject that
   * is no overview. Without a kind it belongs to the business.
   */
  readonly kind?: 'technical' | 'overview'
  /** Subjects whose files it may import. It may also import what these build on. */
  readonly buildsOn: readonly string[]
  readonly settings?: Readonly<Record<string, z.ZodType>>
  /** Loaded by the processes that need them. */
  readonly operations?: () => Promise<Readonly<Record<string, OperationSpec>>>
  /** Loaded likewise. */
  readonly entities?: () => Promise<Readonly<Record<string, EntitySchema>>>
}

/** Declares a subject; the types of its members survive. */
export const subject = <const Given extends Subject>(given: Given): Given => given

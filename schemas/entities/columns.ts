import { type EntityProperty, type Platform, p, Type } from '@mikro-orm/core'
import type { InferKyselyDB } from '@mikro-orm/postgresql'

/** Amount in base units: bigint in code, numeric(78,0) in PostgreSQL. */
class RawAmountType extends Type<bigint, string> {
  override convertToDatabaseValue(value: bigint): string {
    return value === null || value === undefined ? value : value.toString()
  }
  override convertToJSValue(value: string | bigint): bigint {
    return value === null || value === undefined ? value : BigInt(value)
  }
  override getColumnType(): string {
    return 'numeric(78,0)'
  }
  override compareAsType(): string {
    return 'bigint'
  }
}

/** Instant: epoch milliseconds in code, timestamptz(3) in PostgreSQL. */
class InstantType extends Type<number, string> {
  override convertToDatabaseValue(value: number): string {
    return typeof value === 'number' ? new Date(value).toISOString() : value
  }
  override convertToJSValue(value: string | Date | number): number {
    if (value === null || value === undefined || typeof value === 'number') return value as number
    return value instanceof Date ? value.getTime() : Date.parse(value)
  }
  override getColumnType(_prop: EntityProperty, _platform: Platform): string {
    return 'timestamptz(3)'
  }
  override compareAsType(): string {
    return 'number'
  }
}

export const rawAmount = () => p.type(RawAmountType)
export const instant = () => p.type(InstantType)

export const ROW_OPTIONS = { columnNamingStrategy: 'property', convertValues: true } as const

type RowsOf<Entity extends { name: string }> = InferKyselyDB<Entity, typeof ROW_OPTIONS>
/** Row type of one table, in property names and JavaScript values. */
export type Row<Entity extends { name: string }> = RowsOf<Entity>[keyof RowsOf<Entity>]

import { factTable } from '../../pages/parts.ts'
import { address, status } from '../look/values.ts'
import { type Action, reasonField } from './action.ts'

export const setJobState: readonly Action[] = []
void factTable
void address
void status
void reasonField

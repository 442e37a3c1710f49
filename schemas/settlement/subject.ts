import { subject } from '../subject.ts'
import * as operations from './operations.ts'

export const settlement = subject({ name: 'settlement', buildsOn: ['claims', 'receipts'], operations })

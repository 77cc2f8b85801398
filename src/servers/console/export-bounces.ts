// Addresses that bounced, complained or are stopped, as a CSV file.
import type { Static } from 'typebox'
import { bouncesExport } from '../../exports/bounces-export.ts'
import { exportData } from './export-data.ts'
import { BouncesQuery } from './suppression-schemas.ts'

export default exportData(bouncesExport, BouncesQuery, (filters: Static<typeof BouncesQuery>) => filters)

// Addresses that mail came back from for good, or that complained, and those that get no more. Owners stop them and let them
// back; Admins see what there is.
import { useState } from 'preact/hooks'
import type { ListedAddress } from '../../../src/servers/console/suppression-schemas.ts'
import { ExportCsv } from '../../ui/export.tsx'
import { ChoiceFilter, Filters, filtersOf, TextFilter, TimeFilter } from '../../ui/filters.tsx'
import { List } from '../../ui/list.tsx'
import { Page } from '../../ui/page.tsx'
import { usePages } from '../../ui/query.ts'
import { query } from '../../ui/router.ts'
import { EmptyState } from '../../ui/states.tsx'
import { here, isOwner } from '../place.ts'
import { AddressTable } from './address-table.tsx'
import { AutomaticStops } from './automatic-stops.tsx'
import { BouncesOfAddress } from './bounces-of-address.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { lookAgain } from './look-again.ts'
import { StopDialog } from './stop-dialog.tsx'

const FILTERS = ['status', 'recipient', 'since', 'until'] as const
const STATUSES = [
  ['bounced', 'Bounced'],
  ['complained', 'Complained'],
  ['stopped', 'Stopped'],
] as const
const WHOLE_ADDRESS = /^[^@\s]+@[^@\s]+\.[^@\s]+$/

export function BouncesPage() {
  const filters = filtersOf(...FILTERS)
  const addresses = usePages<ListedAddress>(here(`/data/bounces${filters && `?${filters}`}`), (shown = []) =>
    lookAgain(shown.length),
  )
  const [shown, setShown] = useState<'stop' | 'import'>()
  const recipient = query().get('recipient')
  const close = () => setShown(undefined)
  return (
    <Page
      title="Bounces"
      product="Console"
      actions={
        <>
          <ExportCsv path={here(`/data/exports/bounces.csv${filters && `?${filters}`}`)} />
          {isOwner() && (
            <>
              <button type="button" onClick={() => setShown('import')}>
                Import addresses
              </button>
              <button type="button" onClick={() => setShown('stop')}>
                Stop an address
              </button>
            </>
          )}
        </>
      }
    >
      <div class="stack">
        <Filters names={FILTERS}>
          <ChoiceFilter label="Status" name="status" all="Bounced or complained" options={STATUSES} />
          <TextFilter label="Address" name="recipient" whole={{ pattern: WHOLE_ADDRESS, words: 'the whole address' }} />
          <TimeFilter label="Since" name="since" />
          <TimeFilter label="Until" name="until" />
        </Filters>
        <List pages={addresses} empty={<Nothing isFiltered={filters !== ''} />}>
          {(items) => <AddressTable addresses={items} />}
        </List>
        {recipient !== null && addresses.items?.length === 1 && <BouncesOfAddress address={recipient} />}
        <AutomaticStops />
      </div>
      {shown === 'stop' && <StopDialog onClose={close} />}
      {shown === 'import' && <ImportDialog onClose={close} />}
    </Page>
  )
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState title="No such address">No address matches these filters. Clear a filter to see more.</EmptyState>
    )
  }
  return (
    <EmptyState title="Nothing has bounced">
      An address shows here once mail to it comes back for good, or its owner complains. Choose the status “Stopped” to
      see addresses that get no mail.
    </EmptyState>
  )
}

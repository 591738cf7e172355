import { byId, element } from './elements.ts';
import { QueryForm } from './query-form.ts';
import type { RecordData } from './record-data.ts';
import { RecordView } from './record-view.ts';
import { Records } from './records.ts';
import { TableView } from './table-view.ts';

/** The number in an address such as `report.html#record=143`; null for another. */
const askedNumber = () => {
  const found = /^#record=(\d+)$/.exec(location.hash);
  return found === null ? null : Number(found[1]);
};

const records = new Records(JSON.parse(byId('record-data').textContent!) as RecordData);
const tool = byId('records-tool');
const above = element('div');
tool.append(above);
/** The link on the page that opened the view, so that going back leads to where one was. */
let opener: HTMLElement | null = null;
/** The row that is or was in the view. */
let current: number | undefined;

const close = () => {
  if (opener) history.back();
  else {
    history.replaceState(null, '', '#records');
    follow();
  }
};

const view = new RecordView(records, byId('records'), {
  onClose: close,
  onMove: (by) => {
    if (current === undefined) return;
    const rows = table.rows;
    const place = rows.indexOf(current);
    const next = rows[place < 0 ? 0 : place + by];
    if (next !== undefined) location.replace(`#record=${records.numberOf(next)}`);
  },
});
const table = new TableView(records, tool);
new QueryForm(
  records,
  above,
  (query) => table.show(query),
  () => table.focusFirst(),
);

/** Shows what the address asks for. */
function follow(): void {
  const number = askedNumber();
  if (number === null) {
    view.close();
    // In the table the focus goes to the row that was shown last; another link keeps it.
    if (opener && !tool.contains(opener)) opener.focus();
    else if (current !== undefined) table.focus(current);
    opener = null;
    current = undefined;
    return;
  }
  const row = records.rowOf(number);
  if (row === undefined) view.refuse(number);
  else {
    current = row;
    view.open(row);
  }
}

document.addEventListener('click', (event) => {
  opener = (event.target as HTMLElement).closest<HTMLElement>('a[href^="#record="]') ?? opener;
});
addEventListener('hashchange', follow);
tool.hidden = false;
if (askedNumber() !== null) follow();

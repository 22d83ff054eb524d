import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Answered } from './answered.tsx';
import style from './cards.module.css';
import { Pager } from './table.tsx';

interface Paged<Row> {
  items: readonly Row[];
  page: number;
  per_page: number;
  total: number;
}

interface CardsProps<Row> {
  of: Pick<UseQueryResult<Paged<Row>>, 'data' | 'error' | 'refetch'>;
  card: (row: Row) => ReactNode;
  /** In place of a list without rows. */
  empty: ReactNode;
  onPage: (page: number) => void;
}

/** One page of a list whose rows are read rather than compared. */
export const Cards = <Row extends { id: string }>({ of, card, empty, onPage }: CardsProps<Row>) => (
  <Answered of={of}>
    {({ items, page, per_page, total }) =>
      total === 0 ? (
        empty
      ) : (
        <>
          <ul className={style.cards}>
            {items.map((row) => (
              <li key={row.id}>{card(row)}</li>
            ))}
          </ul>
          <Pager page={page} perPage={per_page} total={total} onPage={onPage} />
        </>
      )
    }
  </Answered>
);

import { put_customer_budget as facts } from '@agent-control-plane/fields';
import type { CustomerBudget as Budget } from '@agent-control-plane/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead, useWrite } from '../queries.ts';
import { boundsOf } from '../rules/bounds.ts';
import { money } from '../rules/money.ts';
import { day } from '../rules/time.ts';
import { count } from '../rules/words.ts';
import { Answered } from '../ui/answered.tsx';
import { Button } from '../ui/button.tsx';
import { Meter } from '../ui/chart.tsx';
import { Command } from '../ui/copy.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { FormFoot, TextField } from '../ui/field.tsx';
import { Form, textOrNull } from '../ui/form.tsx';
import { Notice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { say } from '../ui/toast.tsx';
import style from './customer-settings.module.css';

const route = getRouteApi('/inside/customers/$customer_id/budget');

export function CustomerBudget() {
  const { customer_id } = route.useParams();
  const budget = useRead('get_customer_budget', { path: { customer_id } });
  return (
    <Answered of={budget}>
      {(data) => (
        <div className={style.halves}>
          <Spent of={data} />
          <Panel title="Limits of a month">
            <LimitsForm
              key={`${data.monthly_cost} ${data.monthly_tokens}`}
              customer_id={customer_id}
              of={data}
            />
          </Panel>
        </div>
      )}
    </Answered>
  );
}

function Spent({ of }: { of: Budget }) {
  const cost = of.monthly_cost === null ? undefined : Number(of.monthly_cost);
  const isSpent =
    (cost !== undefined && Number(of.spent_cost) >= cost) ||
    (of.monthly_tokens !== null && of.spent_tokens >= of.monthly_tokens);
  return (
    <Panel title="This month" aside={<span className="hint">until {day(of.resets_at)}, UTC</span>}>
      <div className={style.figures}>
        {isSpent && (
          <Notice tone="bad">
            The budget is spent: until {day(of.resets_at)} no language model answers this customer’s agents.
          </Notice>
        )}
        <Figure
          value={money(of.spent_cost)}
          of={cost === undefined ? 'without a limit' : `of ${money(cost)}`}
          share={cost === undefined ? undefined : share(Number(of.spent_cost), cost)}
          label="Cost of this month’s limit"
        />
        <Figure
          value={count(of.spent_tokens)}
          of={
            of.monthly_tokens === null ? 'tokens, without a limit' : `of ${count(of.monthly_tokens)} tokens`
          }
          share={of.monthly_tokens === null ? undefined : share(of.spent_tokens, of.monthly_tokens)}
          label="Tokens of this month’s limit"
        />
      </div>
    </Panel>
  );
}

const share = (spent: number, limit: number) => (limit === 0 ? 1 : spent / limit);

interface FigureProps {
  value: string;
  of: string;
  share: number | undefined;
  label: string;
}

const Figure = ({ value, of, share: part, label }: FigureProps) => (
  <div className={style.figure}>
    <p>
      <strong className="num">{value}</strong> <span className="muted">{of}</span>
    </p>
    {part !== undefined && <Meter share={part} label={label} />}
  </div>
);

function LimitsForm({ customer_id, of }: { customer_id: string; of: Budget }) {
  const put = useWrite('put_customer_budget');
  const [isEnding, setEnding] = useState(false);
  const hasLimit = of.monthly_cost !== null || of.monthly_tokens !== null;
  const save = async (values: FormData) => {
    const tokens = textOrNull(values, 'monthly_tokens');
    await put.run({
      path: { customer_id },
      body: {
        monthly_cost: textOrNull(values, 'monthly_cost'),
        monthly_tokens: tokens === null ? null : Number(tokens),
      },
    });
    say('The limits are saved.');
  };
  return (
    <>
      <Form onSave={save} label="Limits">
        {(pending) => (
          <>
            <TextField
              name="monthly_cost"
              label="US dollars"
              type="number"
              min={0}
              step="any"
              placeholder="No limit"
              hint="All agents of the customer together. Models without a price are refused under it."
              defaultValue={of.monthly_cost ?? ''}
            />
            <TextField
              name="monthly_tokens"
              label="Tokens"
              type="number"
              placeholder="No limit"
              hint="Input and output together."
              defaultValue={of.monthly_tokens ?? ''}
              {...boundsOf(facts.monthly_tokens)}
            />
            <FormFoot>
              <Button type="submit" look="primary" pending={pending}>
                Save
              </Button>
              {hasLimit && (
                <Button look="bad" onClick={() => setEnding(true)}>
                  Remove the limits
                </Button>
              )}
            </FormFoot>
            <Command>agentctl budgets set ops@example.com --monthly-cost 40</Command>
          </>
        )}
      </Form>
      {isEnding && <Removal customer_id={customer_id} onClose={() => setEnding(false)} />}
    </>
  );
}

function Removal({ customer_id, onClose }: { customer_id: string; onClose: () => void }) {
  const remove = useWrite('delete_customer_budget');
  return (
    <Confirm
      title="Remove the limits?"
      action="Remove the limits"
      run={() => remove.run({ path: { customer_id } })}
      onClose={onClose}
    >
      From then on this customer’s agents may spend what the tenant’s own limit leaves.
    </Confirm>
  );
}

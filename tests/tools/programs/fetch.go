// Use the generated Go client like an integrator: fetch everything, order an export, post a hand.
// Built and run by test_clients.py. Arguments: the server's address, and a file of facts. TOKEN and
// DEVICE_TOKEN are the tokens of a person and of a device.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"os"
	"sort"

	"made"
)

const (
	property = "aurora"
	begins   = "2026-11-01"
	ends     = "2026-12-01"
	pageSize = 40
)

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func authorized(token string) context.Context {
	return context.WithValue(context.Background(), made.ContextAccessToken, os.Getenv(token))
}

// plain returns the cells of a sheet as JSON has them.
func plain(rows []map[string]made.SheetRowsInnerValue) []map[string]interface{} {
	plainRows := []map[string]interface{}{}
	for _, row := range rows {
		cells := map[string]interface{}{}
		for name, cell := range row {
			switch {
			case cell.String != nil:
				cells[name] = *cell.String
			case cell.Int64 != nil:
				cells[name] = *cell.Int64
			default:
				cells[name] = nil
			}
		}
		plainRows = append(plainRows, cells)
	}
	return plainRows
}

func findingIDs(client *made.APIClient, person context.Context) []string {
	ids := []string{}
	request := client.FindingsAPI.GetFindings(person).PageSize(pageSize)
	for {
		page, _, err := request.Execute()
		must(err)
		for _, row := range page.Items {
			ids = append(ids, row.Id)
		}
		next := page.Next.Get()
		if next == nil {
			sort.Strings(ids)
			return ids
		}
		request = request.Cursor(*next)
	}
}

func factUIDs(client *made.APIClient, person context.Context) []string {
	uids := []string{}
	request := client.FactsAPI.GetFacts(person).PageSize(pageSize)
	for {
		page, _, err := request.Execute()
		must(err)
		for _, row := range page.Items {
			uids = append(uids, *row.Uid.Get())
		}
		next := page.Next.Get()
		if next == nil {
			sort.Strings(uids)
			return uids
		}
		request = request.Cursor(*next)
	}
}

func exportIDs(client *made.APIClient, person context.Context) []int64 {
	ids := []int64{}
	request := client.ExportsAPI.GetExports(person).PageSize(pageSize)
	for {
		page, _, err := request.Execute()
		must(err)
		for _, row := range page.Items {
			ids = append(ids, row.Id)
		}
		next := page.Next.Get()
		if next == nil {
			return ids
		}
		request = request.Cursor(*next)
	}
}

func handOf(path string) []made.Fact {
	file, err := os.Open(path)
	must(err)
	defer file.Close()
	facts := []made.Fact{}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var fact made.Fact
		must(json.Unmarshal(lines.Bytes(), &fact))
		facts = append(facts, fact)
	}
	must(lines.Err())
	return facts
}

// export orders an export and returns its state, length, number of rows and manifest.
func export(client *made.APIClient, person context.Context) []interface{} {
	order := made.NewOrder("tally", property, begins, ends)
	order.SetFormat("json")
	ordered, _, err := client.ExportsAPI.PostExports(person).Order(*order).Execute()
	must(err)
	sheet, answer, err := client.ExportsAPI.GetExportsIdContent(person, ordered.Id).Execute()
	must(err)
	content, err := io.ReadAll(answer.Body)
	must(err)
	manifest, _, err := client.ExportsAPI.GetExportsIdManifest(person, ordered.Id).Execute()
	must(err)
	return []interface{}{ordered.State, len(content), len(sheet.Rows), manifest}
}

// post posts the hand twice, and once as a person, who may not post.
func post(client *made.APIClient, path string) ([][]bool, []interface{}) {
	facts, posted := handOf(path), [][]bool{}
	for range [2]int{} {
		items, _, err := client.FactsAPI.PostFacts(authorized("DEVICE_TOKEN")).Fact(facts).Execute()
		must(err)
		fresh := []bool{}
		for _, item := range items {
			fresh = append(fresh, item.Fresh)
		}
		posted = append(posted, fresh)
	}
	_, _, err := client.FactsAPI.PostFacts(authorized("TOKEN")).Fact(facts).Execute()
	var refused *made.GenericOpenAPIError
	if !errors.As(err, &refused) {
		log.Fatal("a person could post")
	}
	problem := refused.Model().(made.Problem)
	return posted, []interface{}{problem.Status, problem.Code}
}

func main() {
	configuration := made.NewConfiguration()
	configuration.Servers = made.ServerConfigurations{{URL: os.Args[1]}}
	configuration.HTTPClient = http.DefaultClient
	client, person := made.NewAPIClient(configuration), authorized("TOKEN")
	hold, _, err := client.HoldAPI.GetHold(person).Property(property).From(begins).To(ends).Execute()
	must(err)
	drop, _, err := client.ReportsAPI.GetReportsName(person, "table-drop").
		Property(property).From(begins).To(ends).Execute()
	must(err)
	journal, _, err := client.JournalAPI.GetJournal(person).
		Property(property).From(begins).To(ends).Execute()
	must(err)
	findings, known, exported := findingIDs(client, person), factUIDs(client, person), export(client, person)
	posted, refused := post(client, os.Args[2])
	must(json.NewEncoder(os.Stdout).Encode(map[string]interface{}{
		"hold":     plain(hold.Rows),
		"drop":     plain(drop.Rows),
		"findings": findings,
		"facts":    known,
		"journal":  map[string]int{
			"totals": len(journal.Totals), "documents": len(journal.Documents), "held": len(journal.Held),
		},
		"export":   exported,
		"exports":  exportIDs(client, person),
		"posted":   posted,
		"refused":  refused,
	}))
}

// Use the generated Java client like an integrator: fetch everything, order an export, post a hand.
// Built and run by test_clients.py. Arguments: the server's address, and a file of facts. TOKEN and
// DEVICE_TOKEN are the tokens of a person and of a device.

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import made.ApiClient;
import made.ApiException;
import made.ApiResponse;
import made.api.ExportsApi;
import made.api.FactsApi;
import made.api.FindingsApi;
import made.api.HoldApi;
import made.api.JournalApi;
import made.api.ReportsApi;
import made.model.Export;
import made.model.Fact;
import made.model.FactRow;
import made.model.FindingRow;
import made.model.GetExports200Response;
import made.model.GetFacts200Response;
import made.model.GetFindings200Response;
import made.model.GetJournal200Response;
import made.model.Order;
import made.model.PostFacts201ResponseInner;
import made.model.Problem;
import made.model.Sheet;
import made.model.SheetRowsInnerValue;

public class Fetch {
    static final String PROPERTY = "aurora";
    static final LocalDate BEGINS = LocalDate.of(2026, 11, 1);
    static final LocalDate ENDS = LocalDate.of(2026, 12, 1);
    static final int PAGE_SIZE = 40;

    static ApiClient client(String address, String token) {
        ApiClient client = new ApiClient();
        client.updateBaseUri(address);
        // Without this, Jackson reads an empty text as a number that is null.
        client.setObjectMapper(
            ApiClient.createDefaultObjectMapper().configure(MapperFeature.ALLOW_COERCION_OF_SCALARS, false));
        String secret = System.getenv(token);
        return client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + secret));
    }

    // Return the cells of a sheet as JSON has them.
    static List<Map<String, Object>> plain(Sheet sheet) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Map<String, SheetRowsInnerValue> row : sheet.getRows()) {
            Map<String, Object> cells = new LinkedHashMap<>();
            row.forEach((name, cell) -> cells.put(name, cell == null ? null : cell.getActualInstance()));
            rows.add(cells);
        }
        return rows;
    }

    static List<String> findingIds(ApiClient person) throws ApiException {
        List<String> ids = new ArrayList<>();
        String cursor = null;
        do {
            GetFindings200Response page = new FindingsApi(person).getFindings(
                FindingsApi.APIGetFindingsRequest.newBuilder().pageSize(PAGE_SIZE).cursor(cursor).build());
            for (FindingRow row : page.getItems()) {
                ids.add(row.getId());
            }
            cursor = page.getNext();
        } while (cursor != null);
        Collections.sort(ids);
        return ids;
    }

    static List<String> factUids(ApiClient person) throws ApiException {
        List<String> uids = new ArrayList<>();
        String cursor = null;
        do {
            GetFacts200Response page = new FactsApi(person).getFacts(
                FactsApi.APIGetFactsRequest.newBuilder().pageSize(PAGE_SIZE).cursor(cursor).build());
            for (FactRow row : page.getItems()) {
                uids.add(row.getUid());
            }
            cursor = page.getNext();
        } while (cursor != null);
        Collections.sort(uids);
        return uids;
    }

    static List<Long> exportIds(ApiClient person) throws ApiException {
        List<Long> ids = new ArrayList<>();
        String cursor = null;
        do {
            GetExports200Response page = new ExportsApi(person).getExports(
                ExportsApi.APIGetExportsRequest.newBuilder().pageSize(PAGE_SIZE).cursor(cursor).build());
            for (Export row : page.getItems()) {
                ids.add(row.getId());
            }
            cursor = page.getNext();
        } while (cursor != null);
        return ids;
    }

    // Order an export, and return its state, length, number of rows and manifest.
    static List<Object> export(ApiClient person) throws ApiException {
        ExportsApi exports = new ExportsApi(person);
        Order order = new Order().what(Order.WhatEnum.TALLY).property(PROPERTY).from(BEGINS).to(ENDS);
        Export ordered = exports.postExports(order.format(Order.FormatEnum.JSON));
        ApiResponse<Sheet> content = exports.getExportsIdContentWithHttpInfo(ordered.getId(), null, null);
        long length = Long.parseLong(content.getHeaders().get("content-length").get(0));
        Object manifest = exports.getExportsIdManifest(ordered.getId());
        return List.of(ordered.getState(), length, content.getData().getRows().size(), manifest);
    }

    static List<Boolean> post(ApiClient sender, List<Fact> facts) throws ApiException {
        List<Boolean> fresh = new ArrayList<>();
        for (PostFacts201ResponseInner item : new FactsApi(sender).postFacts(facts)) {
            fresh.add(item.getFresh());
        }
        return fresh;
    }

    public static void main(String[] arguments) throws Exception {
        ApiClient person = client(arguments[0], "TOKEN");
        ApiClient device = client(arguments[0], "DEVICE_TOKEN");
        ObjectMapper mapper = person.getObjectMapper();
        Map<String, Object> fetched = new LinkedHashMap<>();
        fetched.put("hold", plain(new HoldApi(person).getHold(
            HoldApi.APIGetHoldRequest.newBuilder().property(PROPERTY).from(BEGINS).to(ENDS).build())));
        fetched.put("drop", plain(new ReportsApi(person).getReportsName(
            ReportsApi.APIGetReportsNameRequest.newBuilder()
                .name("table-drop").property(PROPERTY).from(BEGINS).to(ENDS).build())));
        GetJournal200Response journal = new JournalApi(person).getJournal(
            JournalApi.APIGetJournalRequest.newBuilder().property(PROPERTY).from(BEGINS).to(ENDS).build());
        fetched.put("journal", Map.of(
            "totals", journal.getTotals().size(),
            "documents", journal.getDocuments().size(),
            "held", journal.getHeld().size()));
        fetched.put("findings", findingIds(person));
        fetched.put("facts", factUids(person));
        fetched.put("export", export(person));
        fetched.put("exports", exportIds(person));
        List<Fact> facts = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of(arguments[1]))) {
            facts.add(mapper.readValue(line, Fact.class));
        }
        fetched.put("posted", List.of(post(device, facts), post(device, facts)));
        try {
            post(person, facts);
            throw new IllegalStateException("a person could post");
        } catch (ApiException refused) {
            Problem problem = mapper.readValue(refused.getResponseBody(), Problem.class);
            fetched.put("refused", List.of(problem.getStatus(), problem.getCode()));
        }
        ObjectMapper withNulls = mapper.copy().setSerializationInclusion(JsonInclude.Include.ALWAYS);
        System.out.println(withNulls.writeValueAsString(fetched));
    }
}

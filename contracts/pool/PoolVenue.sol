// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {IDepositPoolVenueAdapter} from "../lib/PoolInterfaces.sol";
import {PoolVenueBooks} from "./PoolVenueBooks.sol";

/// @notice Deployments of idle tokens to the venue, and their way back.
abstract contract PoolVenue is PoolVenueBooks {
    event VenueDeploymentCreated(
        uint256 indexed deploymentId, bytes32 indexed adapterRequestId, uint256 assets, uint64 returnBy
    );
    event VenueDeploymentSettled(
        uint256 indexed deploymentId, IDepositPoolVenueAdapter.RequestStatus status, uint256 settledAssets
    );
    event VenueRecallRequested(
        uint256 indexed recallId,
        uint256 indexed deploymentId,
        bytes32 indexed adapterRequestId,
        uint256 requestedAssets
    );
    event VenueRecallSettled(
        uint256 indexed recallId,
        uint256 indexed deploymentId,
        IDepositPoolVenueAdapter.RequestStatus status,
        uint256 returnedAssets
    );

    error InvalidReturnDeadline();
    error VenueDeadlineExceedsNoticeTier(uint64 attempted, uint64 maximum);
    error VenueDeploymentAlreadyActive();
    error DeploymentEpochNotElapsed(uint64 nextEpochAt);
    error BufferFloorBreached(uint256 available, uint256 floor, uint256 attemptedDeployment);
    error VenueRecallAlreadyActive();
    error VenueRecallExceedsManaged(uint256 available, uint256 requested);
    error VenueRecallNotFound();
    error VenueRecallShortfall(uint256 returnedAssets, uint256 requiredAssets);

    uint256 public constant DEPLOYMENT_EPOCH = 1 days;

    /// @notice The highest share balance that one agent ever had; it never falls.
    uint256 public maxIssuedAgentShares;
    uint64 public lastDeploymentEpochAt;
    uint256 public nextVenueDeploymentId = 1;
    uint256 public nextVenueRecallId = 1;

    /// @notice Sends idle tokens to the venue, then asks it to deploy them; it may require to hold them.
    function deployToVenue(uint256 assets, uint64 returnBy)
        external
        onlyOperator
        nonReentrant
        returns (uint256 deploymentId)
    {
        _requireDeployable(assets, returnBy);
        venuePrincipalCostBasis += assets;
        _push(asset, venueAdapter, assets);
        bytes32 requestId = IDepositPoolVenueAdapter(venueAdapter).requestDeploy(assets, returnBy);
        deploymentId = nextVenueDeploymentId++;
        venueDeployments[deploymentId] =
            VenueDeployment(assets, 0, returnBy, requestId, IDepositPoolVenueAdapter.RequestStatus.Pending);
        _deploymentOf[requestId] = deploymentId;
        activeVenueDeploymentId = deploymentId;
        lastDeploymentEpochAt = uint64(block.timestamp);
        emit VenueDeploymentCreated(deploymentId, requestId, assets, returnBy);
    }

    /// @notice Takes over the outcome of a deployment; anyone may call.
    function settleVenueDeployment(uint256 deploymentId)
        external
        nonReentrant
        returns (IDepositPoolVenueAdapter.RequestStatus status, uint256 settledAssets)
    {
        VenueDeployment storage deployment = venueDeployments[deploymentId];
        if (deployment.principalAssets == 0) revert VenueDeploymentNotFound();
        _requirePending(deployment.status);
        IDepositPoolVenueAdapter.Request memory request = _settledRequest(
            IDepositPoolVenueAdapter.RequestKind.Deploy,
            deployment.adapterRequestId,
            deployment.principalAssets,
            deployment.returnBy
        );
        (status, settledAssets) = (request.status, request.settledAssets);
        deployment.status = status;
        uint256 received = _claim(deployment.adapterRequestId);
        if (received > 0) _bookReturn(deploymentId, received);
        emit VenueDeploymentSettled(deploymentId, status, settledAssets);
    }

    /// @notice Asks the venue to send tokens of the active deployment back.
    function recallVenueDeployment(uint256 deploymentId, uint256 requestedAssets)
        external
        onlyOperator
        nonReentrant
        returns (uint256 recallId)
    {
        if (venueAdapter == address(0)) revert VenueNotConfigured();
        if (requestedAssets == 0) revert ZeroAmount();
        if (activeVenueRecallId != 0) revert VenueRecallAlreadyActive();
        if (deploymentId == 0 || deploymentId != activeVenueDeploymentId) revert VenueDeploymentNotFound();
        IDepositPoolVenueAdapter adapter = IDepositPoolVenueAdapter(venueAdapter);
        uint256 managed = adapter.managedAssets(address(this));
        if (requestedAssets > managed) revert VenueRecallExceedsManaged(managed, requestedAssets);
        bytes32 requestId = adapter.requestRecall(requestedAssets, venueDeployments[deploymentId].returnBy);
        recallId = nextVenueRecallId++;
        venueRecalls[recallId] = VenueRecall(
            deploymentId, requestedAssets, 0, requestId, IDepositPoolVenueAdapter.RequestStatus.Pending
        );
        activeVenueRecallId = recallId;
        emit VenueRecallRequested(recallId, deploymentId, requestId, requestedAssets);
    }

    /// @notice Takes over the outcome of a recall; anyone may call.
    function settleVenueRecall(uint256 recallId)
        external
        nonReentrant
        returns (IDepositPoolVenueAdapter.RequestStatus status, uint256 returnedAssets)
    {
        VenueRecall storage recall = venueRecalls[recallId];
        uint256 deploymentId = recall.deploymentId;
        if (deploymentId == 0) revert VenueRecallNotFound();
        _requirePending(recall.status);
        IDepositPoolVenueAdapter.Request memory request = _settledRequest(
            IDepositPoolVenueAdapter.RequestKind.Recall,
            recall.adapterRequestId,
            recall.requestedAssets,
            venueDeployments[deploymentId].returnBy
        );
        status = request.status;
        recall.status = status;
        activeVenueRecallId = 0;
        returnedAssets = _claim(recall.adapterRequestId);
        if (status == IDepositPoolVenueAdapter.RequestStatus.Succeeded && returnedAssets != request.settledAssets) {
            revert VenueRecallShortfall(returnedAssets, request.settledAssets);
        }
        recall.returnedAssets = returnedAssets;
        if (returnedAssets > 0) _bookReturn(deploymentId, returnedAssets);
        else _closeIfDone(deploymentId);
        emit VenueRecallSettled(recallId, deploymentId, status, returnedAssets);
    }

    /// @notice Tokens that stay in the pool: enough to pay the largest agent out.
    function bufferFloor() public view returns (uint256 floor) {
        floor = convertToAssets(maxIssuedAgentShares);
        uint256 managed = totalAssets();
        if (floor > managed) return managed;
    }

    /// @notice Tokens above the floor.
    function maxDeployableAssets() external view returns (uint256) {
        (uint256 buffer, uint256 floor) = (bufferAssets(), bufferFloor());
        return buffer > floor ? buffer - floor : 0;
    }

    function _requireDeployable(uint256 assets, uint64 returnBy) private view {
        if (venueAdapter == address(0)) revert VenueNotConfigured();
        if (assets == 0) revert ZeroAmount();
        if (returnBy <= block.timestamp) revert InvalidReturnDeadline();
        uint64 latest = uint64(block.timestamp + NOTICE_7_DAYS);
        if (returnBy > latest) revert VenueDeadlineExceedsNoticeTier(returnBy, latest);
        if (activeVenueDeploymentId != 0) revert VenueDeploymentAlreadyActive();
        uint64 next = lastDeploymentEpochAt == 0 ? 0 : lastDeploymentEpochAt + uint64(DEPLOYMENT_EPOCH);
        if (block.timestamp < next) revert DeploymentEpochNotElapsed(next);
        (uint256 buffer, uint256 floor) = (bufferAssets(), bufferFloor());
        if (buffer < floor || buffer - floor < assets) revert BufferFloorBreached(buffer, floor, assets);
    }

    function _requirePending(IDepositPoolVenueAdapter.RequestStatus status) private pure {
        if (status != IDepositPoolVenueAdapter.RequestStatus.Pending) revert VenueRequestMismatch();
    }
}
